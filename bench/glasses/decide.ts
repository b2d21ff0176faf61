import { wornGlasses } from '@guise/engine/mesh/glasses/worn-glasses.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { readAtlas } from './read-atlas.ts';
import type { FacePhoto } from './vary-photo.ts';

/** Decides on one face as the engine does. @returns log-odds; adds what it took to `timesMs` */
export function decideOf(photo: FacePhoto, side: number, timesMs: number[]): number {
  using space = new Workspace();
  const atlas = readAtlas(photo, side, space);
  const from = performance.now();
  const { logOdds } = wornGlasses(atlas, space);
  timesMs.push(performance.now() - from);
  return logOdds;
}
