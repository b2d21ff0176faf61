import { fillPolygon } from '@guise/kernels/polygon.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Hand } from '../../face/geometry/hand.ts';
import { palmLength } from '../../face/geometry/hand.ts';
import { notSkin } from '../skin/not-skin.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { DrawingPlace } from './draw-hands.ts';
import { greyImage } from './draw-hands.ts';
import { unwrapDrawing } from './hand-coverage.ts';

/** Distance of thumb and index finger, in palms, over which a hand holds something. */
const MIN_GRIP_PALMS = 0.4;
/** How far what is held reaches beyond the fingertips, in palms. */
const REACH_PALMS = 1;
/** Strictness (see `notSkin`): between fingers, what is hardly skin is none. */
const STRICTNESS = 0.8;
/** Evidence from which a texel shows what is held. */
const MIN_EVIDENCE = 0.4;
/** Share of the part of the face within the grip that is no skin, at least. */
const LEAST_SHARE = 0.5;

/** Height in the atlas, sides, below which it is looked for: glasses are no skin either. */
const TOP_SIDES = 0.47;

/** Joints of the thumb, to its tip. */
const THUMB = [2, 3, 4] as const;
/** Joints of the index finger, to its tip. */
const INDEX = [5, 6, 7, 8] as const;

/**
 * Finds a thing (can, cup, phone) between thumb and index finger of a hand before the face: what is
 * none of its skin there. 0 or 1, coarse; null where nothing is held.
 * @param small coarse atlas of the face
 */
export function heldThing(
  hands: readonly Hand[],
  landmarks: Float32Array,
  small: Atlas,
  model: SkinModel,
  layout: AtlasLayout,
  make: PlaneMaker,
): Float32Array | null {
  const grips = hands.map(gripOutline).filter((outline) => outline !== null);
  if (grips.length === 0) return null;
  const zone = unwrapDrawing((place) => drawGrips(grips, place), landmarks, layout, make);
  let area = 0;
  let foreign = 0;
  const first = Math.ceil(TOP_SIDES * COARSE_SIDE) * COARSE_SIDE;
  zone.fill(0, 0, first);
  for (let i = first; i < zone.length; i++) {
    const isInside = zone[i]! > 0.5 && layout.oval[i]! > 0;
    zone[i] = 0;
    if (!isInside) continue;
    area += 1;
    const { luma, blue, red } = small;
    if (notSkin(model, model.luma[i]!, luma[i]!, blue[i]!, red[i]!, STRICTNESS) < MIN_EVIDENCE) continue;
    foreign += 1;
    zone[i] = 1;
  }
  return foreign > 0 && foreign >= LEAST_SHARE * area ? zone : null;
}

/**
 * Lists the corners (x, y) of where a hand would hold something, from the thumb around to the index
 * finger and back beyond their tips; null where they are together.
 */
function gripOutline(hand: Hand): number[] | null {
  const [x, y] = [0, 1].map((k) => (joint: number) => hand.landmarks[2 * joint + k]!) as [At, At];
  const palm = palmLength(hand);
  const [thumbTip, indexTip] = [THUMB.at(-1)!, INDEX.at(-1)!];
  if (Math.hypot(x(thumbTip) - x(indexTip), y(thumbTip) - y(indexTip)) < MIN_GRIP_PALMS * palm) return null;
  const forwardX = x(thumbTip) + x(indexTip) - x(THUMB[0]) - x(INDEX[0]);
  const forwardY = y(thumbTip) + y(indexTip) - y(THUMB[0]) - y(INDEX[0]);
  const reach = (REACH_PALMS * palm) / Math.max(1e-6, Math.hypot(forwardX, forwardY));
  const beyond = (joint: number): number[] => [x(joint) + reach * forwardX, y(joint) + reach * forwardY];
  return [
    ...THUMB.flatMap((joint) => [x(joint), y(joint)]),
    ...beyond(thumbTip),
    ...beyond(indexTip),
    ...INDEX.toReversed().flatMap((joint) => [x(joint), y(joint)]),
  ];
}

/** One coordinate of a joint. */
type At = (joint: number) => number;

function drawGrips(grips: readonly number[][], { x, y, scale, width, height }: DrawingPlace): RgbImage {
  const plane = new Float32Array(width * height);
  for (const grip of grips)
    fillPolygon(
      plane,
      width,
      height,
      grip.map((value, k) => (value - (k % 2 === 0 ? x : y)) * scale),
    );
  return greyImage(plane, width, height);
}
