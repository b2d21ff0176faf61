import { boxBlur } from '@guise/kernels/box-blur.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import type { Atlas } from './atlas.ts';
import type { AtlasLayout } from './atlas-layout.ts';
import { LIGHT_SIDE } from './atlas-layout.ts';
import { darkLines } from './dark-lines.ts';
import { bareSkin } from './foreign-skin.ts';
import type { SkinModel } from './skin-model.ts';
import { darkness } from './strands.ts';

/** By how much darker than the other side, each against its own skin, what is beside a covered eye is hair as well. */
const DARK_FROM = 0.2;
const DARK_FULLY = 0.35;
/** What is found so, blurred, is raised by this: hair ends softly. */
const SPREAD = 3;

/**
 * What hair leaves beside an eye that it lies over (index of `EYES`), 0..1 for each texel of the light-size atlas `small`: dark skin, over the
 * nose's side too, where nothing else is followed that far in, and the lines of single strands and their shadows.
 */
export function hairBeside(eye: 0 | 1, small: Atlas, layout: AtlasLayout, model: SkinModel): Float32Array {
  const bare = bareSkin(layout);
  const lines = darkLines(small, layout);
  const beside = new Float32Array(lines.length);
  for (let i = 0; i < beside.length; i++) {
    if (bare[i] === 0) continue;
    const mirrored = i + LIGHT_SIDE - 1 - 2 * (i % LIGHT_SIDE);
    const darker = darkness(small, model, i) - darkness(small, model, mirrored);
    beside[i] = bare[i]! * smoothstep(DARK_FROM, DARK_FULLY, darker);
  }
  boxBlur(beside, LIGHT_SIDE, LIGHT_SIDE, 1, 2);
  for (let i = 0; i < beside.length; i++) {
    const isOther = i % LIGHT_SIDE < LIGHT_SIDE >> 1 !== (eye === 0);
    beside[i] = isOther ? 0 : bare[i]! * Math.max(lines[i]!, Math.min(1, SPREAD * beside[i]!));
  }
  return beside;
}
