import path from 'node:path';
import { clipFormatList } from '@guise/contract/ai-tasks/form.ts';
import {
  type ClipFormat,
  clipOutputFormatOf,
  type StillFormat,
  stillFormatOf,
} from '@guise/contract/formats.ts';
import { TARGET_VIDEO_FORMATS } from '@guise/contract/v1/values.ts';
import { partOfClip } from '@guise/contract/clip-part.ts';
import type { ClipPart, RestoreOptions } from '@guise/contract/work.ts';
import { probeVideoIsolated } from '@guise/media/clip/isolated.ts';
import { loadConfig } from '@guise/server/config/config.ts';
import type { NetworkOptions } from '../../setup/chosen-networks.ts';
import type { OutputOptions } from '../../setup/output-file.ts';
import type { Workspace } from '../../setup/workspace.ts';

/** A face of a photo or a person of a clip, and the photo with the new face. */
export interface FaceMap {
  /** Number of the face or person, as `guise detect` counts. */
  readonly index: number;
  readonly file: string;
}

/** Options of `guise swap`. */
export interface SwapOptions extends OutputOptions, NetworkOptions {
  /** Paths of additional photos of the source's person. */
  readonly source?: readonly string[];
  readonly face?: number;
  /**
   * Strength of face restoration, 0 to 1. The default is that of the HTTP interface, which differs
   * between stills and clips.
   */
  readonly faceRestore?: number;
  readonly restore?: number;
  /** Start of the part to swap, in seconds. */
  readonly start?: number;
  /** End of the part to swap, in seconds. */
  readonly end?: number;
  readonly quality?: '720p' | '1080p';
  /** Whether the visible label is put on. */
  readonly label?: true;
  readonly json?: true;
}

/** Returns the restore options, with defaults for those that are missing. */
export function restoreOf({ faceRestore, restore }: SwapOptions, defaults: RestoreOptions): RestoreOptions {
  return {
    faceRestoreVisibility: faceRestore ?? defaults.faceRestoreVisibility,
    restoreVisibility: restore ?? defaults.restoreVisibility,
  };
}

/** Returns whether the visible label is put on: if the user or the operator wants it. */
export function labelOf({ label }: Pick<SwapOptions, 'label'>): boolean {
  return label === true || loadConfig().label === 'always';
}

/** Returns whether the swap makes a picture of a GIF; the output's extension decides this. */
export function isStillOfGif(container: ClipFormat | null, { output }: SwapOptions): boolean {
  return container === 'gif' && stillFormatOf(output) !== undefined;
}

/**
 * Returns the format of a photo's output.
 * @throws Error if the options are those of a video, or the output's extension is none of a photo
 */
export function stillOutput(target: string, { output, start, end }: SwapOptions): StillFormat {
  if (start !== undefined || end !== undefined) throw new Error('--start and --end are for videos and GIFs.');
  if (clipOutputFormatOf(output) !== undefined)
    throw new Error(`${target} is neither a video in ${clipFormatList(TARGET_VIDEO_FORMATS)} nor a GIF.`);
  const format = stillFormatOf(output);
  if (format === undefined) throw new Error(`${output} must end in .png, .jpg, .jpeg or .webp.`);
  return format;
}

/**
 * Returns the part of a clip from `--start` and `--end`; undefined if neither is given.
 * @throws Error naming the option
 */
export async function partOption(
  target: string,
  { start, end }: SwapOptions,
  { folder, stopping }: Workspace,
): Promise<ClipPart | undefined> {
  if (start === undefined && end === undefined) return undefined;
  const { durationSeconds } = await probeVideoIsolated(path.resolve(target), {
    isolation: { parentFolder: folder },
    signal: stopping,
  });
  return partOfClip({ start, end }, durationSeconds, { start: '--start', end: '--end', clip: target });
}
