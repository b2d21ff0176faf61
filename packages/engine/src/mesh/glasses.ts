import { boxBlur } from '@guise/kernels/box-blur.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import type { Atlas } from './atlas.ts';
import type { AtlasLayout } from './atlas-layout.ts';

/** Where the bridge of a frame crosses the nose, in the atlas. Bare noses are smooth there from top to bottom. */
const BRIDGE = { left: 0.47, right: 0.53, top: 0.33, bottom: 0.43 } as const;
/** Mean vertical step over 1/64 of the atlas there, in shares of the luma: bare noses reach 0.06, frames start at 0.29. */
const BARE = 0.1;
const FRAMED = 0.2;

/** How surely this face wears glasses, 0..1. Rimless ones are not seen. */
export function glassesOf(atlas: Atlas): number {
  const { side, luma } = atlas;
  const reach = Math.max(1, Math.round(side / 128));
  let steps = 0;
  let level = 0;
  for (let y = Math.round(BRIDGE.top * side); y < BRIDGE.bottom * side; y++) {
    for (let x = Math.round(BRIDGE.left * side); x < BRIDGE.right * side; x++) {
      const i = y * side + x;
      steps += Math.abs(luma[i + reach * side]! - luma[i - reach * side]!);
      level += luma[i]!;
    }
  }
  return level > 0 ? smoothstep(BARE, FRAMED, steps / level) : 0;
}

/** Thin structures against their surroundings, as shares of the expected skin luma, that count as frame. */
const FRAME_ONSET = 0.14;
const FRAME_FULL = 0.3;

/** The frames' texels, 0..1, where glasses run; lashes and brows that touch them count as well. */
export function findFrames(atlas: Atlas, layout: AtlasLayout, level: number): Float32Array {
  const { side, luma } = atlas;
  const { scratch } = layout;
  const around = luma.slice();
  boxBlur(around, scratch, side, side, Math.round(side / 24), 2);
  const frames = new Float32Array(side * side);
  for (let i = 0; i < frames.length; i++) {
    const zone = layout.glassesZone[i]!;
    if (zone > 0)
      frames[i] = zone * smoothstep(FRAME_ONSET, FRAME_FULL, Math.abs(luma[i]! - around[i]!) / (level + 8));
  }
  boxBlur(frames, scratch, side, side, Math.max(1, Math.round(side / 200)), 2);
  for (let i = 0; i < frames.length; i++) frames[i] = smoothstep(0.15, 0.55, frames[i]!);
  return frames;
}
