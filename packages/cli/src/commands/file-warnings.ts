import { type FaceWarning, warnOfSwap } from '@guise/contract/warnings.ts';
import type { SwappedFaces } from '@guise/contract/work.ts';

/** A warning about the face of one of a command's files. */
export interface FileWarning extends FaceWarning {
  readonly file: string;
}

/** Lists what speaks against the faces of a swap. */
export function fileWarnings(
  swapped: readonly SwappedFaces[],
  files: { readonly source: string; readonly target: string },
): FileWarning[] {
  return swapped
    .flatMap((faces) => warnOfSwap(faces, files))
    .map(({ field: file, code, role, message }) => ({ file, code, role, message }));
}

/** Writes warnings as lines of their own. */
export function describeWarnings(warnings: readonly FaceWarning[]): string {
  return warnings.map(({ message }) => `Warning: ${message}\n`).join('');
}
