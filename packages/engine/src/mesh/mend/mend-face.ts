import { addEnlarged } from '@guise/kernels/face/relight.ts';
import { type PlaneMaker, Workspace } from '@guise/kernels/workspace.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { normalisedBlur } from '@guise/kernels/filter/normalised-blur.ts';
import { mirrorTexel } from '../uv/texel.ts';
import type { Network } from '../../models/open-size-model.ts';
import type { Atlas, AtlasColours } from '../uv/atlas.ts';
import { NETWORK_SIDE, readColours, WINDOW, writeColours, writePlane } from '../uv/network-window.ts';
import { resizeAtlas, resizeColours, resizePlane } from '../uv/resize-plane.ts';

/**
 * Longer side of a face's box from which it is mended, pixels: of smaller ones too little shows.
 */
export const LEAST_MENDED_PX = 48;
/** Radius of the box blur, applied three times, after which relief is left, texels. */
const RELIEF_TEXELS = 3;
/** Size of a correction, levels summed over luma and both colours, of which half is applied. */
const HALVED_LEVELS = 8;
/** Radius in which this size is averaged, texels. */
const AROUND_TEXELS = 2;

/** Finds the faults of a swapped face. */
export type FindFaults = (
  swapped: AtlasColours,
  target: Atlas,
  opacity: Float32Array,
) => Promise<AtlasColours>;

/**
 * Finds what a swap did wrong, with a network that was trained on portraits with drawn faults
 * (`training/`): remains of brows, hair and glasses, patches of another tone or light.
 * @param target the face that shows where the swapped one is not opaque
 * @param opacity of the swapped face, 0..1
 * @returns what to add to the swapped face, of `NETWORK_SIDE`
 */
export async function findFaults(
  network: Network,
  swapped: AtlasColours,
  target: Atlas,
  opacity: Float32Array,
): Promise<AtlasColours> {
  using space = new Workspace();
  const drawn = resizePlane(opacity, swapped.side, NETWORK_SIDE, space);
  const shown = resizeAtlas(target, NETWORK_SIDE, space);
  const face = resizeColours(swapped, NETWORK_SIDE, space);
  for (const name of ['luma', 'blue', 'red'] as const) {
    for (let i = 0; i < drawn.length; i++) shown[name][i]! += drawn[i]! * (face[name][i]! - shown[name][i]!);
  }
  // Awaited here, because the network reads the planes while it runs.
  return await network.run(
    WINDOW.height,
    WINDOW.width,
    (input) => {
      writeColours(input, shown);
      writePlane(input, 3, shown.facing);
      writePlane(input, 4, drawn);
    },
    (outputs) => {
      const [luma, blue, red] = [0, 1, 2].map(() => new Float32Array(NETWORK_SIDE * NETWORK_SIDE));
      const faults = { side: NETWORK_SIDE, luma: luma!, blue: blue!, red: red! };
      readColours(outputs['steps']!, faults);
      const planes = [luma!, blue!, red!];
      keepRelief(planes, drawn, space);
      keepDetail(planes, space);
      return faults;
    },
  );
}

/**
 * Takes off planes of corrections, in place, the smooth part of the mean of both sides of the face:
 * its tone, and its relief. These are the person's own; faults are seldom alike on both sides.
 * @param drawn opacity of the swapped face
 */
function keepRelief(planes: readonly Float32Array[], drawn: Float32Array, make: PlaneMaker): void {
  const weight = make.uninitialised(drawn.length);
  for (let i = 0; i < weight.length; i++) weight[i] = drawn[i]! + drawn[mirrorTexel(i, NETWORK_SIDE)]!;
  const alike = planes.map((plane) => {
    const mean = make.floats(plane.length);
    for (let i = 0; i < mean.length; i++) {
      const other = mirrorTexel(i, NETWORK_SIDE);
      if (weight[i]! > 0) mean[i] = (drawn[i]! * plane[i]! + drawn[other]! * plane[other]!) / weight[i]!;
    }
    return mean;
  });
  normalisedBlur(alike, weight, NETWORK_SIDE, NETWORK_SIDE, RELIEF_TEXELS);
  for (const [k, plane] of planes.entries())
    for (let i = 0; i < plane.length; i++) plane[i]! -= alike[k]![i]! * drawn[i]!;
}

/**
 * Weakens small corrections, in place, because they are a person's freckles and fine lines more
 * often than faults.
 */
function keepDetail(planes: readonly Float32Array[], make: PlaneMaker): void {
  const size = make.floats(planes[0]!.length);
  for (const plane of planes) for (let i = 0; i < size.length; i++) size[i]! += Math.abs(plane[i]!);
  boxBlur(size, NETWORK_SIDE, NETWORK_SIDE, AROUND_TEXELS, 2);
  for (let i = 0; i < size.length; i++) {
    const kept = size[i]! ** 2 / (size[i]! ** 2 + HALVED_LEVELS ** 2);
    for (const plane of planes) plane[i]! *= kept;
  }
}

/** Adds the corrections that `findFaults` returned, times `share` (0..1), to a face, in place. */
export function mendFace(
  face: AtlasColours,
  faults: AtlasColours,
  share: number,
  oval: Float32Array,
  make: PlaneMaker,
): void {
  for (const name of ['luma', 'blue', 'red'] as const) {
    const side = Math.min(NETWORK_SIDE, face.side);
    const step = resizePlane(faults[name], NETWORK_SIDE, side, make);
    for (let i = 0; i < step.length; i++) step[i]! *= share;
    addEnlarged(face[name], step, oval, side, face.side);
  }
}
