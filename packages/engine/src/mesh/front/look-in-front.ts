import { clamp } from '@guise/kernels/clamp.ts';
import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import type { ModelOutputs } from '../../models/model.ts';
import type { Network } from '../../models/open-size-model.ts';
import type { Atlas } from '../uv/atlas.ts';
import { unwrapFace } from '../uv/atlas.ts';
import { atlasRgb } from '../uv/atlas-rgb.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { emptyFront, type Front, FRONT_KINDS, FRONT_SIDE, OPAQUE_KINDS } from './front.ts';
import { removeUnrootedHair } from './rooted-hair.ts';

/** Part of the atlas that the network sees, texels. */
const WINDOW = { left: 32, top: 24, width: 192, height: 224 };
/** Number of texels in this window. */
const WINDOW_TEXELS = WINDOW.width * WINDOW.height;
/** Factor from blue minus luma to the atlas's blue difference. */
const BLUE_SHARE = 0.564;
/** Factor from red minus luma to the atlas's red difference. */
const RED_SHARE = 0.713;
/** Change of luma by a lens, levels, from where the face behind shows to where it is hidden. */
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
    (input) => fill(input, atlas),
    (outputs) => read(outputs, atlas, layout),
  );
}

/** Calls a function for every texel of the window, with its index there and in the atlas. */
function eachTexel(take: (at: number, texel: number) => void): void {
  for (let y = 0, at = 0; y < WINDOW.height; y++)
    for (let x = 0, texel = (WINDOW.top + y) * FRONT_SIDE + WINDOW.left; x < WINDOW.width; x++, at++, texel++)
      take(at, texel);
}

/** Writes sRGB colours and facing, 0..1. */
function fill(input: Float32Array, { luma, blue, red, facing }: Atlas): void {
  eachTexel((at, texel) => {
    const rgb = atlasRgb(luma[texel]!, blue[texel]!, red[texel]!);
    for (let k = 0; k < 3; k++) input[k * WINDOW_TEXELS + at] = clamp(rgb[k]! / 255, 0, 1);
    input[3 * WINDOW_TEXELS + at] = facing[texel]!;
  });
}

function read({ classes, colours, needed, shade }: ModelOutputs, seen: Atlas, layout: AtlasLayout): Front {
  const front = emptyFront();
  const { luma, blue, red } = front.bare;
  eachTexel((at, texel) => {
    for (const [k, kind] of FRONT_KINDS.entries())
      front.shares[kind][texel] = classes![(k + 1) * WINDOW_TEXELS + at]!;
    const r = 255 * colours![at]!;
    const b = 255 * colours![2 * WINDOW_TEXELS + at]!;
    const y = 0.299 * r + 0.587 * 255 * colours![WINDOW_TEXELS + at]! + 0.114 * b;
    luma[texel] = y;
    blue[texel] = BLUE_SHARE * (b - y);
    red[texel] = RED_SHARE * (r - y);
    front.needed[texel] = needed![at]!;
    front.shade[texel] = shade![at]!;
    for (const kind of OPAQUE_KINDS)
      front.needed[texel] = Math.max(front.needed[texel]!, front.shares[kind][texel]!);
    const step = needed![at]! * Math.abs(seen.luma[texel]! - y);
    front.glare[texel] = front.shares.lens[texel]! * ramp(GLARE_STEP, step);
  });
  removeUnrootedHair(front, layout);
  boxBlur(front.glare, FRONT_SIDE, FRONT_SIDE, 1, 1);
  return front;
}
