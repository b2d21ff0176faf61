import type { RegionMasks } from '../uv/region-masks.ts';
import type { Atlas } from '../uv/atlas.ts';
import { perLayout } from '../uv/atlas-layout.ts';

/** Difference in luma, minus the mean difference, from which a texel has changed. */
const CHANGED_LUMA = 12;
/** Difference in colour from which a texel has changed, levels. */
const CHANGED_COLOUR = 20;
/** Difference in facing from which a texel has changed. */
const CHANGED_FACING = 0.15;
/** Difference in luma from which a texel shows something else: a hand, a strand of hair. */
const STRANGE_LUMA = 30;
/** Facing below which a texel is ignored. */
const MIN_FACING = 0.1;

/** How a face differs from the remembered one, without eyes and mouth. */
export interface FaceChange {
  /** Change of the mean luma, levels. */
  readonly meanLuma: number;
  /** Share of texels with another luma (apart from its mean), colour or facing, 0..1. */
  readonly changed: number;
  /** Share of texels that show something else, 0..1. */
  readonly strange: number;
}

/** Remembers how a face looked, and tells how much it has changed. */
export class FaceMemory {
  /** Luma, blue, red and facing. */
  readonly #planes: readonly [Float32Array, Float32Array, Float32Array, Float32Array];

  /** @param side of the atlases that are compared */
  constructor(side: number) {
    const plane = (): Float32Array => new Float32Array(side * side);
    this.#planes = [plane(), plane(), plane(), plane()];
  }

  remember({ luma, blue, red, facing }: Atlas): void {
    for (const [k, plane] of [luma, blue, red, facing].entries()) this.#planes[k]!.set(plane);
  }

  /** Compares a face, in `layout`, with the remembered one. */
  changeOf({ luma, blue, red, facing }: Atlas, layout: RegionMasks): FaceChange {
    const texels = bareTexels(layout);
    const [lumaThen, blueThen, redThen, facingThen] = this.#planes;
    const meanLuma = meanChange(luma, lumaThen, facing, facingThen, texels);
    let changed = 0;
    let strange = 0;
    for (let k = 0; k < texels.length; k++) {
      const i = texels[k]!;
      if (facing[i]! < MIN_FACING && facingThen[i]! < MIN_FACING) continue;
      const change = Math.abs(luma[i]! - lumaThen[i]! - meanLuma);
      if (change > STRANGE_LUMA) strange += 1;
      if (
        change > CHANGED_LUMA ||
        Math.abs(blue[i]! - blueThen[i]!) > CHANGED_COLOUR ||
        Math.abs(red[i]! - redThen[i]!) > CHANGED_COLOUR ||
        Math.abs(facing[i]! - facingThen[i]!) > CHANGED_FACING
      )
        changed += 1;
    }
    return { meanLuma, changed: changed / texels.length, strange: strange / texels.length };
  }
}

/** Measures the mean change of luma of the texels that are visible in both. */
function meanChange(
  now: Float32Array,
  then: Float32Array,
  facing: Float32Array,
  facingThen: Float32Array,
  texels: Uint16Array,
): number {
  let sum = 0;
  let count = 0;
  for (let k = 0; k < texels.length; k++) {
    const i = texels[k]!;
    if (facing[i]! < MIN_FACING || facingThen[i]! < MIN_FACING) continue;
    sum += now[i]! - then[i]!;
    count += 1;
  }
  return sum / Math.max(1, count);
}

/** Texels of the face without eyes and mouth, which move all the time. */
const bareTexels = perLayout(({ oval, holes, side }: RegionMasks): Uint16Array => {
  const texels: number[] = [];
  for (let i = 0; i < side * side; i++) if (oval[i]! > 0.5 && holes[i] === 0) texels.push(i);
  return Uint16Array.from(texels);
});
