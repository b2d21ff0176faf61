import { applyAffine } from '@guise/kernels/affine.ts';
import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import { warpToPlanes } from '@guise/kernels/scale/warp.ts';
import type { PlaneFormat } from '@guise/kernels/scale/warp.ts';
import type { Model } from '../../models/model.ts';
import type { Hand, HandFinder } from '../geometry/hand.ts';
import { HAND_JOINTS, HAND_LANDMARK_COUNT, isSameHand } from '../geometry/hand.ts';
import { regionToImage, squareAround } from '../geometry/region.ts';
import type { Region } from '../geometry/region.ts';
import { handPlaces } from './hand-places.ts';

/** Side of the square that the hand network reads, pixels. */
const HAND_SIDE = 224;
/** Values that the network expects: 0 to 1. */
const INPUT_FORMAT: PlaneFormat = { scale: 1 / 255, offset: [0, 0, 0], order: 'rgb', outside: 'black' };

/** Presence at a first, rough look from which a second look is worth its cost. */
const LIKELY_PRESENCE = 0.2;
/** Presence from which something is a hand, at a look that fits it. */
const SURE_PRESENCE = 0.8;
/** Presence down to which a found hand is followed. */
const FOLLOWED_PRESENCE = 0.5;
/** Side of the square that fits a hand, in longer sides of its landmarks' box. */
const HAND_REGION_SCALE = 1.6;
/** Largest number of looks that are fitted to the result of the look before. */
const MAX_FITTED_LOOKS = 2;

/** @param open opens the network, which few pictures need */
export function createHandFinder(open: () => Promise<Model>): HandFinder {
  return {
    async find(pyramid, landmarks, known = [], isWorthLooking = () => true) {
      const hands = [...known];
      for (const place of handPlaces(pyramid, landmarks)) {
        if ((place.isForSecond && hands.length === 0) || !isWorthLooking(place)) continue;
        const hand = await findHand(await open(), pyramid, place.region, hands);
        if (hand) addNew(hands, hand);
      }
      return hands;
    },
    async follow(pyramid, known) {
      const hands: Hand[] = [];
      for (const before of known) {
        const hand = await readHand(await open(), pyramid, regionOfHand(before));
        if (hand.presence >= FOLLOWED_PRESENCE) addNew(hands, hand);
      }
      return hands;
    },
  };
}

/**
 * Adds a hand unless it is one of the others. When two hands touch, both may be followed to the
 * same hand.
 */
function addNew(hands: Hand[], hand: Hand): void {
  if (!isOneOf(hands, hand)) hands.push(hand);
}

function isOneOf(hands: readonly Hand[], hand: Hand): boolean {
  return hands.some((other) => isSameHand(other, hand));
}

/** Finds a hand at a place. Returns null if there is no hand, or only a `known` one. */
async function findHand(
  model: Model,
  pyramid: ImagePyramid,
  place: Region,
  known: readonly Hand[],
): Promise<Hand | null> {
  let hand = await readHand(model, pyramid, place);
  if (hand.presence < LIKELY_PRESENCE || isOneOf(known, hand)) return null;
  for (let look = 0; look < MAX_FITTED_LOOKS; look++) {
    hand = await readHand(model, pyramid, regionOfHand(hand));
    if (hand.presence < LIKELY_PRESENCE) return null;
  }
  return hand.presence >= SURE_PRESENCE ? hand : null;
}

/** Runs the network on one region. */
function readHand(model: Model, pyramid: ImagePyramid, region: Region): Promise<Hand> {
  const toImage = regionToImage(region, HAND_SIDE);
  return model.run(
    HAND_SIDE,
    HAND_SIDE,
    (input) => warpToPlanes(pyramid, toImage, HAND_SIDE, HAND_SIDE, INPUT_FORMAT, input),
    ({ landmarks, presence }) => {
      const points = new Float32Array(2 * HAND_LANDMARK_COUNT);
      for (let k = 0; k < HAND_LANDMARK_COUNT; k++)
        points.set(applyAffine(toImage, landmarks![3 * k]!, landmarks![3 * k + 1]!), 2 * k);
      return { landmarks: points, presence: presence![0]! };
    },
  );
}

/** Returns the square around a hand as in the network's training, with the fingers up. */
function regionOfHand({ landmarks }: Hand): Region {
  const { wrist, middleBase } = HAND_JOINTS;
  const up = Math.atan2(
    landmarks[2 * middleBase]! - landmarks[2 * wrist]!,
    landmarks[2 * wrist + 1]! - landmarks[2 * middleBase + 1]!,
  );
  return squareAround(landmarks, {
    count: HAND_LANDMARK_COUNT,
    stride: 2,
    angle: up,
    scale: HAND_REGION_SCALE,
  });
}
