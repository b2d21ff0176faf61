import type { Atlas } from '../uv/atlas.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import { relativeDarkness } from '../skin/not-skin.ts';

/** Returns by what share a coarse texel is darker than this face's skin there. */
export function darkness(small: Atlas, model: SkinModel, i: number): number {
  return relativeDarkness(model.luma[i]!, small.luma[i]!);
}
