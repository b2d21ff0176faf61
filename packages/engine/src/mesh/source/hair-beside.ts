import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { Atlas } from '../uv/atlas.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import { darkLines } from './dark-lines.ts';
import { bareSkin } from '../skin/foreign-skin.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import { darkness } from './skin-darkness.ts';
import { midlineDistance, mirrorTexel } from '../uv/texel.ts';

/**
 * Darkness beyond the other side's, each against its own skin, over which what is beside a covered
 * eye is hair as well.
 */
const HAIR_DARKNESS: Ramp = { from: 0.2, to: 0.35 };
/**
 * Mean of that darkness around nose and mouth over which the half is lit; above, all of it lies in
 * the shade instead.
 */
const LIT_DARKNESS: Ramp = { from: 0.35, to: 0.25 };
/** Part of the face around the mouth, in sides: distance from the midline, and height. */
const MOUTH_BOX = { inner: 0.03, outer: 0.13, top: 0.5, bottom: 0.84 };
/** Gain of what was found, after its blur: hair ends softly. */
const FOUND_GAIN = 3;

/**
 * What hair leaves beside an eye that it lies over (index of `EYES`), 0..1 for each texel of the
 * coarse atlas `small`: dark skin, over the nose's side too, where nothing else is followed that
 * far in, and the lines of single strands and their shadows. Nothing where all of that half is
 * dark: hard light from the other side.
 */
export function hairBeside(eye: 0 | 1, small: Atlas, layout: RegionMasks, model: SkinModel): Float32Array {
  const bare = bareSkin(layout);
  const darker = darkerThanMirror(eye, small, model);
  const lit = ramp(LIT_DARKNESS, aroundMouth(darker, eye, bare));
  const beside = new Float32Array(darker.length);
  for (let i = 0; i < beside.length; i++) beside[i] = bare[i]! * ramp(HAIR_DARKNESS, darker[i]!);
  boxBlur(beside, COARSE_SIDE, COARSE_SIDE, 1, 2);
  const lines = darkLines(small, layout);
  for (let i = 0; i < beside.length; i++) {
    const found = Math.max(lines[i]!, Math.min(1, FOUND_GAIN * beside[i]!));
    beside[i] = isOnHalf(i, eye) ? lit * bare[i]! * found : 0;
  }
  return beside;
}

/** 0 on the other half. */
function darkerThanMirror(eye: 0 | 1, small: Atlas, model: SkinModel): Float32Array {
  const darker = new Float32Array(COARSE_SIDE * COARSE_SIDE);
  for (let i = 0; i < darker.length; i++) {
    if (!isOnHalf(i, eye)) continue;
    darker[i] = darkness(small, model, i) - darkness(small, model, mirrorTexel(i, COARSE_SIDE));
  }
  return darker;
}

function aroundMouth(darker: Float32Array, eye: 0 | 1, bare: Float32Array): number {
  let sum = 0;
  let weight = 1e-6;
  for (let y = Math.floor(MOUTH_BOX.top * COARSE_SIDE); y < MOUTH_BOX.bottom * COARSE_SIDE; y++) {
    for (let i = y * COARSE_SIDE; i < (y + 1) * COARSE_SIDE; i++) {
      const away = midlineDistance(i, COARSE_SIDE);
      if (away < MOUTH_BOX.inner || away > MOUTH_BOX.outer || !isOnHalf(i, eye)) continue;
      sum += bare[i]! * darker[i]!;
      weight += bare[i]!;
    }
  }
  return sum / weight;
}

function isOnHalf(texel: number, eye: 0 | 1): boolean {
  return texel % COARSE_SIDE < COARSE_SIDE >> 1 === (eye === 0);
}
