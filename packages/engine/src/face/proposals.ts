import type { ImagePyramid } from '@guise/kernels/pyramid.ts';
import type { Network } from '../models/open-size-model.ts';
import { runBlazeface } from './blazeface.ts';
import type { Candidate } from './candidate.ts';
import { intersectionOverSmaller, intersectionOverUnion } from './box.ts';
import { keepBestCandidates, mergeCandidates } from './suppression.ts';

/** A candidate with the number of other passes that saw a face in the same place. */
export interface Proposal extends Candidate {
  readonly support: number;
}

/** Weak candidates are let through: the landmark model judges them. */
const THRESHOLD = 0.35;
const STRONG_SCORE = 0.5;
const SAME_FACE_OVERLAP = 0.35;

/** The coarse pass is over every image, the fine one over all but portraits. */
const COARSE_SIDE = 256;
const FINE_SIDE = 512;
/** The widest face, as a share of the image, to believe the fine pass about. */
const FINE_WIDEST_FACE = 0.6;

/**
 * A portrait: a sure face this wide, in longer sides of the image, and nowhere else anything that
 * the coarse pass takes for the shadow of a face. Pasted into portraits, every face of 3 % of the
 * image's side or more cast one, and of those of 2 % that the fine pass would find five in six;
 * below that neither sees much.
 */
const LARGE_FACE = 0.25;
const SURE_SCORE = 0.7;
const SHADOW_SCORE = 0.1;
/** Candidates so much inside the large face's box are of it. */
const OWN_SHADOW_OVERLAP = 0.5;

/** A group photo (many, small or no faces so far) gets one more pass with up to this side. */
const GROUP_SIDE = 1280;
const GROUP_WIDEST_FACE = 0.25;
const GROUP_FACES = 3;
const SMALL_FACE = 0.1;
/** Not much beyond the fine pass: another one would see nothing new. */
const SMALLEST_GROUP_SIDE = 576;
/** Enlarging beyond this factor shows nothing new. */
const LARGEST_ENLARGEMENT = 2;

/** Where upright faces (up to about 45 degrees of roll) may be, best first. */
export async function proposeUpright(model: Network, pyramid: ImagePyramid): Promise<Proposal[]> {
  const longerSide = Math.max(pyramid.image.width, pyramid.image.height);
  const share = (candidate: Candidate): number => (candidate.right - candidate.left) / longerSide;
  const look = async (inputSide: number, widestFace: number): Promise<Candidate[]> => {
    const found = await runBlazeface(model, pyramid, { inputSide, quarterTurns: 0, threshold: THRESHOLD });
    return mergeCandidates(found).filter((candidate) => share(candidate) <= widestFace);
  };

  const coarse = await runBlazeface(model, pyramid, {
    inputSide: COARSE_SIDE,
    quarterTurns: 0,
    threshold: SHADOW_SCORE,
  });
  const candidates = mergeCandidates(coarse.filter(({ score }) => score >= THRESHOLD));
  const portrait = candidates.find((face) => face.score >= SURE_SCORE && share(face) >= LARGE_FACE);
  if (portrait && coarse.every((shadow) => intersectionOverSmaller(shadow, portrait) > OWN_SHADOW_OVERLAP)) {
    return withSupport(candidates);
  }
  candidates.push(...(await look(FINE_SIDE, FINE_WIDEST_FACE)));
  const strong = keepBestCandidates(
    candidates.filter(({ score }) => score > STRONG_SCORE),
    SAME_FACE_OVERLAP,
  );
  const mayBeGroup =
    strong.length === 0 ||
    strong.length >= GROUP_FACES ||
    strong.some((candidate) => share(candidate) < SMALL_FACE);
  const groupSide = Math.min(GROUP_SIDE, LARGEST_ENLARGEMENT * longerSide);
  if (mayBeGroup && groupSide >= SMALLEST_GROUP_SIDE) {
    candidates.push(...(await look(groupSide, GROUP_WIDEST_FACE)));
  }
  return withSupport(candidates);
}

/**
 * Enough for large faces: one of 40 pixels scores here as it does in the coarse pass, at 0.4 of the
 * price.
 */
const PORTRAIT_SIDE = 160;

/**
 * Where large upright faces are, best first, by a cheap pass alone: nothing it overlooks is larger
 * than these.
 */
export async function proposeLarge(model: Network, pyramid: ImagePyramid): Promise<Proposal[]> {
  const least = LARGE_FACE * Math.max(pyramid.image.width, pyramid.image.height);
  const found = await runBlazeface(model, pyramid, {
    inputSide: PORTRAIT_SIDE,
    quarterTurns: 0,
    threshold: STRONG_SCORE,
  });
  return withSupport(mergeCandidates(found).filter(({ left, right }) => right - left >= least));
}

/**
 * Where clear upright faces are, best first, by one cheap pass alone.
 * @param isForLarge a cheaper one, for faces of a sixteenth of the longer side or more
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

/** Where faces may be that lie on their side or upside down, best first. */
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
      (other) => other.pass !== candidate.pass && intersectionOverUnion(other, candidate) > SAME_FACE_OVERLAP,
    );
    return { ...candidate, support: new Set(others.map(({ pass }) => pass)).size };
  });
  return keepBestCandidates(supported, SAME_FACE_OVERLAP) as Proposal[];
}
