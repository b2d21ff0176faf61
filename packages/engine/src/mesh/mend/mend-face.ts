import { addEnlarged } from '@guise/kernels/face/relight.ts';
import { type PlaneMaker, Workspace } from '@guise/kernels/workspace.ts';
import type { Network } from '../../models/open-size-model.ts';
import { medianOf } from '../skin/skin-model.ts';
import type { Atlas, AtlasColours } from '../uv/atlas.ts';
import {
  NETWORK_SIDE,
  readColours,
  TEXELS_OF_WINDOW,
  WINDOW,
  writeColours,
  writePlane,
} from '../uv/network-window.ts';
import { resizePlane } from '../uv/resize-plane.ts';

/** Opacity from which a texel shows the swapped face. */
const OPAQUE = 0.9;

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
  const resized = (plane: Float32Array): Float32Array =>
    resizePlane(plane, swapped.side, NETWORK_SIDE, space);
  const drawn = resized(opacity);
  const shown = {
    side: NETWORK_SIDE,
    luma: resized(target.luma),
    blue: resized(target.blue),
    red: resized(target.red),
  };
  for (const name of ['luma', 'blue', 'red'] as const) {
    const plane = resized(swapped[name]);
    for (let i = 0; i < plane.length; i++) shown[name][i]! += drawn[i]! * (plane[i]! - shown[name][i]!);
  }
  const facing = resized(target.facing);
  // Awaited here, because the network reads the planes while it runs.
  return await network.run(
    WINDOW.height,
    WINDOW.width,
    (input) => {
      writeColours(input, shown);
      writePlane(input, 3, facing);
      writePlane(input, 4, drawn);
    },
    (outputs) => {
      const [luma, blue, red] = [0, 1, 2].map(() => new Float32Array(NETWORK_SIDE * NETWORK_SIDE));
      const faults = { side: NETWORK_SIDE, luma: luma!, blue: blue!, red: red! };
      readColours(outputs['steps']!, faults);
      for (const plane of [luma!, blue!, red!]) keepTone(plane, drawn);
      return faults;
    },
  );
}

/**
 * Takes the median of a plane of corrections off it, in place: the face's own tone is no fault.
 * @param drawn opacity of the swapped face
 */
function keepTone(plane: Float32Array, drawn: Float32Array): void {
  const ofFace: number[] = [];
  for (const texel of TEXELS_OF_WINDOW) if (drawn[texel]! > OPAQUE) ofFace.push(plane[texel]!);
  const tone = medianOf(Float32Array.from(ofFace));
  for (const texel of TEXELS_OF_WINDOW) plane[texel]! -= tone * drawn[texel]!;
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
