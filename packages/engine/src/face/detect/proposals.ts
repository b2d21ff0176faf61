import type { ImagePyramid } from '@guise/kernels/scale/pyramid.ts';
import type { Network } from '../../models/open-size-model.ts';
import { runBlazeface } from './blazeface.ts';
import type { Candidate } from './candidate.ts';
import { intersectionOverSmaller, intersectionOverUnion } from '../geometry/box.ts';
import { keepBestCandidates, mergeCandidates } from './suppression.ts';

/** A candidate with the number of other passes that saw a face in the same place. */
export interface Proposal extends Candidate {
  readonly support: number;
}

/**
 * Score from which a candidate is kept, which is low because the landmark model judges the
 * candidates.
 */
const MIN_SCORE = 0.35;
/** Score from which a candidate is strong. */
const STRONG_SCORE = 0.5;
/** Intersection over union above which candidates of two passes show the same face. */
const SAME_PROPOSAL_OVERLAP = 0.35;

/** Side of the coarse pass, pixels. The coarse pass runs over every image. */
const COARSE_SIDE = 256;
/** Side of the fine pass, pixels. The fine pass runs over every image except portraits. */
const FINE_SIDE = 512;
/** Width of the widest face that the fine pass may propose, as a share of the image. */
const MAX_FINE_FACE_SHARE = 0.6;

/**
 * Side of one more pass over an image without a sure face, pixels. It finds faces that fill the
 * image: the detector knows only smaller ones.
 */
const CLOSE_SIDE = 128;

/**
 * Width, in longer sides of the image, from which a sure face makes the image a portrait, if the
 * coarse pass finds no weak trace of another face. Measured with faces pasted into portraits: every
 * face of 3 % of the image's side or more left a trace, and so did five in six of those faces of 2
 * % that the fine pass would find. Smaller faces are mostly invisible to both passes.
 */
const PORTRAIT_FACE_SHARE = 0.25;
/** Score from which a portrait's face is sure. */
const SURE_SCORE = 0.7;
/** Score from which a candidate of the coarse pass is a weak trace (shadow) of a face. */
const SHADOW_SCORE = 0.1;
/**
 * Share of a candidate inside the large face's box above which the candidate belongs to that face.
 */
const OWN_SHADOW_OVERLAP = 0.5;

/**
 * Largest side of one more pass over a group photo (with many, small or no faces so far), pixels.
 */
const GROUP_SIDE = 1280;
/** Width of the widest face that the group pass may propose, as a share of the image. */
const MAX_GROUP_FACE_SHARE = 0.25;
/** Number of strong faces from which a photo is a group photo. */
const MIN_GROUP_FACES = 3;
/** Width of a face, as a share of the image, below which a photo is a group photo. */
const SMALL_FACE_SHARE = 0.1;
/** Side of the group pass below which it would find no more than the fine pass, pixels. */
const MIN_GROUP_SIDE = 576;
/** Factor of enlargement above which an image shows nothing new. */
const MAX_ENLARGEMENT = 2;

/** Proposes places of upright faces (up to about 45 degrees of roll), best first. */
export async function proposeUpright(model: Network, pyramid: ImagePyramid): Promise<Proposal[]> {
  const longerSide = Math.max(pyramid.image.width, pyramid.image.height);
  const share = (candidate: Candidate): number => (candidate.right - candidate.left) / longerSide;
  const look = async (inputSide: number, widestFace: number): Promise<Candidate[]> => {
    const found = await runBlazeface(model, pyramid, { inputSide, quarterTurns: 0, threshold: MIN_SCORE });
    return mergeCandidates(found).filter((candidate) => share(candidate) <= widestFace);
  };

  const coarse = await runBlazeface(model, pyramid, {
    inputSide: COARSE_SIDE,
    quarterTurns: 0,
    threshold: SHADOW_SCORE,
  });
  const candidates = mergeCandidates(coarse.filter(({ score }) => score >= MIN_SCORE));
  const portrait = candidates.find((face) => face.score >= SURE_SCORE && share(face) >= PORTRAIT_FACE_SHARE);
  if (portrait && coarse.every((shadow) => intersectionOverSmaller(shadow, portrait) > OWN_SHADOW_OVERLAP)) {
    return withSupport(candidates);
  }
  candidates.push(...(await look(FINE_SIDE, MAX_FINE_FACE_SHARE)));
  const strong = keepBestCandidates(
    candidates.filter(({ score }) => score > STRONG_SCORE),
    SAME_PROPOSAL_OVERLAP,
  );
  if (strong.every(({ score }) => score < SURE_SCORE)) candidates.push(...(await look(CLOSE_SIDE, 1)));
  const mayBeGroup =
    strong.length === 0 ||
    strong.length >= MIN_GROUP_FACES ||
    strong.some((candidate) => share(candidate) < SMALL_FACE_SHARE);
  const groupSide = Math.min(GROUP_SIDE, MAX_ENLARGEMENT * longerSide);
  if (mayBeGroup && groupSide >= MIN_GROUP_SIDE) {
    candidates.push(...(await look(groupSide, MAX_GROUP_FACE_SHARE)));
  }
  return withSupport(candidates);
}

/**
 * Side of the pass for portraits, pixels. A face of 40 pixels has the same score here as in the
 * coarse pass, at 0.4 of the cost.
 */
const PORTRAIT_SIDE = 160;

/**
 * Proposes places of large upright faces, best first, by one pass of low cost. Every face that it
 * misses is smaller than these.
 */
export async function proposeLarge(model: Network, pyramid: ImagePyramid): Promise<Proposal[]> {
  const least = PORTRAIT_FACE_SHARE * Math.max(pyramid.image.width, pyramid.image.height);
  const found = await runBlazeface(model, pyramid, {
    inputSide: PORTRAIT_SIDE,
    quarterTurns: 0,
    threshold: STRONG_SCORE,
  });
  return withSupport(mergeCandidates(found).filter(({ left, right }) => right - left >= least));
}

/**
 * Proposes places of clear upright faces, best first, by one pass of low cost.
 * @param isForLarge whether to use an even cheaper pass, for faces of at least a sixteenth of the
 * longer side
 */
export async function proposeClear(
  model: Network,
  pyramid: ImagePyramid,
  isForLarge: boolean,
): Promise<Proposal[]> {
  const inputSide = isForLarge ? PORTRAIT_SIDE : COARSE_SIDE;
  const look = { inputSide, quarterTurns: 0, threshold: STRONG_SCORE } as const;
  return withSupport(mergeCandidates(await runBlazeface(model, pyramid, look)));
}

/** Proposes places of faces that lie on their side or upside down, best first. */
export async function proposeRotated(model: Network, pyramid: ImagePyramid): Promise<Proposal[]> {
  const candidates: Candidate[] = [];
  for (const quarterTurns of [1, 3, 2] as const) {
    for (const inputSide of [COARSE_SIDE, FINE_SIDE]) {
      const found = await runBlazeface(model, pyramid, { inputSide, quarterTurns, threshold: STRONG_SCORE });
      candidates.push(...mergeCandidates(found));
    }
  }
  return withSupport(candidates);
}

function withSupport(candidates: readonly Candidate[]): Proposal[] {
  const supported = candidates.map((candidate) => {
    const others = candidates.filter(
      (other) =>
        other.pass !== candidate.pass && intersectionOverUnion(other, candidate) > SAME_PROPOSAL_OVERLAP,
    );
    return { ...candidate, support: new Set(others.map(({ pass }) => pass)).size };
  });
  return keepBestCandidates(supported, SAME_PROPOSAL_OVERLAP) as Proposal[];
}
