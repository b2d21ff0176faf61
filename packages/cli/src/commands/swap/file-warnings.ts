import { type FaceWarning, warnOfSwap } from '@guise/contract/warnings.ts';
import type { SwappedFaces } from '@guise/contract/work.ts';

/** A warning about the face in one of the command's files. */
export interface FileWarning extends FaceWarning {
  readonly file: string;
}

/** Lists the warnings about the faces of a swap. */
export function fileWarnings(
  swapped: readonly SwappedFaces[],
  files: { readonly source: string; readonly target: string },
): FileWarning[] {
  return swapped
    .flatMap((faces) => warnOfSwap(faces, files))
    .map(({ field: file, code, role, message }) => ({ file, code, role, message }));
}

/** Formats each warning as a line. */
export function describeWarnings(warnings: readonly FaceWarning[]): string {
  return warnings.map(({ message }) => `Warning: ${message}\n`).join('');
}
