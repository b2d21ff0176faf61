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

/** Score from which a candidate is let through, weak ones too: the landmark model judges them. */
const MIN_SCORE = 0.35;
/** Score from which a candidate is strong. */
const STRONG_SCORE = 0.5;
/** Intersection over union above which candidates of two passes show the same face. */
const SAME_PROPOSAL_OVERLAP = 0.35;

/** Side of the coarse pass, which is over every image, pixels. */
const COARSE_SIDE = 256;
/** Side of the fine pass, which is over all but portraits, pixels. */
const FINE_SIDE = 512;
/** Widest face, as a share of the image, that the fine pass is believed about. */
const MAX_FINE_FACE_SHARE = 0.6;

/**
 * A portrait: a sure face this wide, in longer sides of the image, and nowhere else anything that
 * the coarse pass takes for the shadow of a face. Pasted into portraits, every face of 3 % of the
 * image's side or more cast one, and of those of 2 % that the fine pass would find five in six;
 * below that neither sees much.
 */
const PORTRAIT_FACE_SHARE = 0.25;
/** Score of a portrait's face. */
const SURE_SCORE = 0.7;
/** Score from which the coarse pass takes something for the shadow of a face. */
const SHADOW_SCORE = 0.1;
/** Share of a candidate inside the large face's box above which it belongs to that face. */
const OWN_SHADOW_OVERLAP = 0.5;

/** Largest side of one more pass over a group photo (many, small or no faces so far), pixels. */
const GROUP_SIDE = 1280;
/** Widest face, as a share of the image, that the group pass is believed about. */
const MAX_GROUP_FACE_SHARE = 0.25;
/** Strong faces from which a photo is a group's. */
const MIN_GROUP_FACES = 3;
/** Width of a face, as a share of the image, below which a photo is a group's. */
const SMALL_FACE_SHARE = 0.1;
/** Side of the group pass below which it would see nothing beyond the fine pass, pixels. */
const MIN_GROUP_SIDE = 576;
/** Factor of enlargement above which nothing new shows. */
const MAX_ENLARGEMENT = 2;

/** Where upright faces (up to about 45 degrees of roll) may be, best first. */
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
 * Side of the pass for portraits, pixels: a face of 40 scores here as in the coarse pass, at 0.4 of
 * the price.
 */
const PORTRAIT_SIDE = 160;

/**
 * Where large upright faces are, best first, by a cheap pass alone: nothing it overlooks is larger
 * than these.
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
      (other) =>
        other.pass !== candidate.pass && intersectionOverUnion(other, candidate) > SAME_PROPOSAL_OVERLAP,
    );
    return { ...candidate, support: new Set(others.map(({ pass }) => pass)).size };
  });
  return keepBestCandidates(supported, SAME_PROPOSAL_OVERLAP) as Proposal[];
}
