import type { RestoreDefaults } from '@guise/contract/ai-tasks/forms.ts';

/** The options of `guise swap`. */
export interface SwapOptions {
  readonly output: string;
  /** Paths of further photos of the source's person. */
  readonly source?: readonly string[];
  readonly face?: number;
  /**
   * Strength of face restoration, 0..1. The default is that of the HTTP interface, which differs
   * between stills and clips.
   */
  readonly faceRestore?: number;
  readonly restore?: number;
  /** Part of a clip that is wanted, seconds. */
  readonly start?: number;
  readonly end?: number;
  readonly quality?: '720p' | '1080p';
  readonly json?: true;
}

/** Fills in options that were not given from `defaults`. */
export function restoreOf({ faceRestore, restore }: SwapOptions, defaults: RestoreDefaults): RestoreDefaults {
  return {
    faceRestoreVisibility: faceRestore ?? defaults.faceRestoreVisibility,
    restoreVisibility: restore ?? defaults.restoreVisibility,
  };
}
