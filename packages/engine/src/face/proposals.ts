import type { ImagePyramid } from '@guise/kernels/pyramid.ts';
import type { Model } from '../models/model.ts';
import { runBlazeface } from './blazeface.ts';
import type { Candidate } from './candidate.ts';
import { intersectionOverUnion } from './box.ts';
import { keepBestCandidates } from './suppression.ts';

/** A candidate with the number of other passes that saw a face in the same place. */
export interface Proposal extends Candidate {
  readonly support: number;
}

/** Weak candidates are let through: the landmark model judges them. */
const THRESHOLD = 0.35;
const STRONG_SCORE = 0.5;
const SAME_FACE_OVERLAP = 0.35;

/** The passes over every image: input side, and the widest face, as a share of the image, to believe it about. */
const BASE_PASSES = [
  { inputSide: 256, widestFace: Infinity },
  { inputSide: 512, widestFace: 0.6 },
] as const;

/** A group photo (many, small or no faces so far) gets one more pass with up to this side. */
const GROUP_SIDE = 1280;
const GROUP_WIDEST_FACE = 0.25;
const GROUP_FACES = 3;
const SMALL_FACE = 0.1;
/** Not much beyond the base passes: another pass would see nothing new. */
const SMALLEST_GROUP_SIDE = 576;
/** Enlarging beyond this factor shows nothing new. */
const LARGEST_ENLARGEMENT = 2;

/** Where upright faces (up to about 45 degrees of roll) may be, best first. */
export async function proposeUpright(model: Model, pyramid: ImagePyramid): Promise<Proposal[]> {
  const longerSide = Math.max(pyramid.image.width, pyramid.image.height);
  const share = (candidate: Candidate): number => (candidate.right - candidate.left) / longerSide;
  const look = async (inputSide: number, widestFace: number): Promise<Candidate[]> => {
    const found = await runBlazeface(model, pyramid, { inputSide, quarterTurns: 0, threshold: THRESHOLD });
    return found.filter((candidate) => share(candidate) <= widestFace);
  };

  const candidates: Candidate[] = [];
  for (const { inputSide, widestFace } of BASE_PASSES)
    candidates.push(...(await look(inputSide, widestFace)));
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

/** A face this wide, in longer sides of the image, is seen whole by the first pass alone. */
const LARGE_FACE = 0.25;

/** Where large upright faces are, best first, by the cheap pass alone: nothing it overlooks is larger than these. */
export async function proposeLarge(model: Model, pyramid: ImagePyramid): Promise<Proposal[]> {
  const { inputSide } = BASE_PASSES[0];
  const least = LARGE_FACE * Math.max(pyramid.image.width, pyramid.image.height);
  const found = await runBlazeface(model, pyramid, { inputSide, quarterTurns: 0, threshold: STRONG_SCORE });
  return withSupport(found.filter(({ left, right }) => right - left >= least));
}

/** Where faces may be that lie on their side or upside down, best first. */
export async function proposeRotated(model: Model, pyramid: ImagePyramid): Promise<Proposal[]> {
  const candidates: Candidate[] = [];
  for (const quarterTurns of [1, 3, 2] as const) {
    for (const { inputSide } of BASE_PASSES) {
      candidates.push(
        ...(await runBlazeface(model, pyramid, { inputSide, quarterTurns, threshold: STRONG_SCORE })),
      );
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
