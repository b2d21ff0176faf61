import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { maxInPlace } from '@guise/kernels/filter/max-in-place.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import type { ModelOutputs } from '../../models/model.ts';
import type { Network } from '../../models/open-size-model.ts';
import type { Atlas } from '../uv/atlas.ts';
import { unwrapFace } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { readColours, readPlane, WINDOW, writeColours, writePlane } from '../uv/network-window.ts';
import { emptyFront, type Front, FRONT_KINDS, FRONT_SIDE, OPAQUE_KINDS } from './front.ts';
import { removeUnrootedHair } from './rooted-hair.ts';

/**
 * Change of luma by a lens, levels. 0 at `from`: the face behind shows; 1 at `to`: it is hidden.
 */
const GLARE_STEP: Ramp = { from: 25, to: 70 };

/**
 * Finds the things in front of a face, with a network that was trained on drawn glasses, hair and
 * hands (`training/`).
 * @param layout of `FRONT_SIDE`
 * @param landmarks pixels of the pyramid's image
 */
export async function lookInFront(
  network: Network,
  layout: AtlasLayout,
  pyramid: ImagePyramid,
  landmarks: Float32Array,
): Promise<Front> {
  using space = new Workspace();
  const atlas = unwrapFace(layout, pyramid, landmarks, space);
  // Awaited here, because the network reads the atlas while it runs.
  return await network.run(
    WINDOW.height,
    WINDOW.width,
    (input) => {
      writeColours(input, atlas);
      writePlane(input, 3, atlas.facing);
    },
    (outputs) => read(outputs, atlas, layout),
  );
}

function read({ classes, colours, needed, shade }: ModelOutputs, seen: Atlas, layout: AtlasLayout): Front {
  const front = emptyFront();
  readColours(colours!, front.bare);
  for (const [k, kind] of FRONT_KINDS.entries()) readPlane(classes!, k + 1, front.shares[kind]);
  readPlane(needed!, 0, front.needed);
  readPlane(shade!, 0, front.shade);
  findGlare(front, seen.luma);
  for (const kind of OPAQUE_KINDS) maxInPlace(front.needed, front.shares[kind]);
  removeUnrootedHair(front, layout);
  boxBlur(front.glare, FRONT_SIDE, FRONT_SIDE, 1, 1);
  return front;
}

/** Writes `glare`: how much a lens changes the luma of the face behind it. */
function findGlare({ glare, needed, shares: { lens }, bare }: Front, luma: Float32Array): void {
  for (let i = 0; i < glare.length; i++) {
    if (lens[i]! <= 0) continue;
    glare[i] = lens[i]! * ramp(GLARE_STEP, needed[i]! * Math.abs(luma[i]! - bare.luma[i]!));
  }
}
