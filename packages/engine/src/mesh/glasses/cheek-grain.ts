import { grainAt } from '@guise/kernels/grain.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import { medianOf } from '../skin/skin-model.ts';
import type { Atlas } from '../uv/atlas.ts';
import { LUMA_NOISE_FLOOR } from '../uv/atlas.ts';
import { midlineDistance } from '../uv/texel.ts';

/** Part of the cheeks whose grain is measured, in sides: below most lenses, above most beards. */
const CHEEKS = { top: 0.54, bottom: 0.61, inner: 0.1, outer: 0.22 };
/** Box radii of the blurs that part pores from grain, and shading from pores, in sides. */
const BLUR_RADII_SIDES = [1 / 256, 1 / 85] as const;
/** Box radii of the noise that stands for grain and pores, in sides. */
const NOISE_RADII_SIDES = [1 / 512, 1 / 170] as const;
/** Largest deviation of each, as a share of the luma: cheeks may be freckled or bearded. */
const MAX_DEVIATION = 0.03;
/** Standard deviation of a normal distribution against its median distance from the middle. */
const DEVIATION_OF_MEDIAN = 1.48;
/** Side of a tile of noise, texels. */
const TILE_SIDE = 128;

/** Reads the grain of a texel, as a share of its luma. */
export type Grain = (x: number, y: number) => number;

/** Tiles of noise of standard deviation 1: grain, and pores. */
const noiseTiles = perLayout(({ side }: { readonly side: number }) =>
  NOISE_RADII_SIDES.map((radius, tile) => {
    // Blurred as part of nine like it, a tile continues over its edges.
    const nine = Float32Array.from({ length: 9 * TILE_SIDE * TILE_SIDE }, (_, i) => {
      const [x, y] = [i % (3 * TILE_SIDE), Math.floor(i / (3 * TILE_SIDE))];
      return grainAt((x % TILE_SIDE) + TILE_SIDE * tile, y % TILE_SIDE);
    });
    boxBlur(nine, 3 * TILE_SIDE, 3 * TILE_SIDE, Math.max(1, Math.round(radius * side)), 2);
    const noise = Float32Array.from({ length: TILE_SIDE * TILE_SIDE }, (_, i) => {
      const [x, y] = [i % TILE_SIDE, Math.floor(i / TILE_SIDE)];
      return nine[3 * TILE_SIDE * (TILE_SIDE + y) + TILE_SIDE + x]!;
    });
    const deviation = Math.sqrt(noise.reduce((sum, value) => sum + value * value, 0) / noise.length);
    return noise.map((value) => value / deviation);
  }),
);

/** Measures the grain and pores of the cheeks, for skin that is painted anew. */
export function cheekGrain({ side, luma }: Atlas, layout: { readonly side: number }): Grain {
  const top = Math.round(CHEEKS.top * side);
  const rows = Math.round(CHEEKS.bottom * side) - top;
  const cheeks = luma.subarray(top * side, (top + rows) * side);
  const smooth = cheeks.slice();
  const deviations = BLUR_RADII_SIDES.map((radius) => {
    const before = smooth.slice();
    boxBlur(smooth, side, rows, Math.max(1, Math.round(radius * side)), 1);
    const strays: number[] = [];
    for (let k = 0; k < smooth.length; k++) {
      const aside = midlineDistance(k, side);
      if (aside < CHEEKS.inner || aside > CHEEKS.outer) continue;
      strays.push(Math.abs(before[k]! - smooth[k]!) / (smooth[k]! + LUMA_NOISE_FLOOR));
    }
    return Math.min(MAX_DEVIATION, DEVIATION_OF_MEDIAN * medianOf(Float32Array.from(strays)));
  });
  const [grain, pores] = deviations as [number, number];
  const [fine, medium] = noiseTiles(layout) as [Float32Array, Float32Array];
  return (x, y) => {
    const i = (y % TILE_SIDE) * TILE_SIDE + (x % TILE_SIDE);
    return grain * fine[i]! + pores * medium[i]!;
  };
}
