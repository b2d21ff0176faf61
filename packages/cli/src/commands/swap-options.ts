import type { RestoreDefaults } from '@guise/contract/ai-tasks/forms.ts';

/** The options of `guise swap`. */
export interface SwapOptions {
  readonly output: string;
  /** Paths of more photos of the source's person. */
  readonly source?: readonly string[];
  readonly face?: number;
  /** Absent: the HTTP interface's default, which differs between stills and clips. */
  readonly faceRestore?: number;
  readonly restore?: number;
  readonly quality?: '720p' | '1080p';
  readonly json?: true;
}

/** Fills in what the options leave open from `defaults`. */
export function restoreOf({ faceRestore, restore }: SwapOptions, defaults: RestoreDefaults): RestoreDefaults {
  return {
    faceRestoreVisibility: faceRestore ?? defaults.faceRestoreVisibility,
    restoreVisibility: restore ?? defaults.restoreVisibility,
  };
}
