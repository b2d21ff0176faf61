import type { Candidate } from './candidate.ts';
import { intersectionOverSmaller, intersectionOverUnion } from '../geometry/box.ts';

/** Intersection over union above which candidates of one pass show the same face. */
const CANDIDATE_OVERLAP = 0.3;
/** Share of a box inside another above which both show the same face, or a part of it. */
const CANDIDATE_INSIDE_OVERLAP = 0.7;

/**
 * Merges the candidates of one pass that show the same face. Box and eye angle become the mean
 * weighted by score, and the score is that of the best candidate (BlazeFace's blending, which makes
 * the box steadier).
 */
export function mergeCandidates(candidates: readonly Candidate[]): Candidate[] {
  const best = [...candidates].sort((a, b) => b.score - a.score);
  const used = new Set<Candidate>();
  const merged: Candidate[] = [];
  for (const candidate of best) {
    if (used.has(candidate)) continue;
    const same: Candidate[] = [];
    for (const other of best) {
      if (used.has(other)) continue;
      const overlap = intersectionOverUnion(candidate, other);
      if (overlap > CANDIDATE_OVERLAP) same.push(other);
      if (
        overlap > CANDIDATE_OVERLAP ||
        intersectionOverSmaller(candidate, other) > CANDIDATE_INSIDE_OVERLAP
      ) {
        used.add(other);
      }
    }
    merged.push(blend(candidate, same));
  }
  return merged;
}

/**
 * Keeps the best of the candidates that show the same face, from any pass. Returns the best first.
 */
export function keepBestCandidates(candidates: readonly Candidate[], overlap: number): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of [...candidates].sort((a, b) => b.score - a.score)) {
    const seen = kept.some(
      (other) =>
        intersectionOverUnion(candidate, other) > overlap ||
        intersectionOverSmaller(candidate, other) > CANDIDATE_INSIDE_OVERLAP,
    );
    if (!seen) kept.push(candidate);
  }
  return kept;
}

function blend(best: Candidate, same: readonly Candidate[]): Candidate {
  const total = same.reduce((sum, { score }) => sum + score, 0);
  const mean = (pick: (candidate: Candidate) => number): number =>
    same.reduce((sum, candidate) => sum + pick(candidate) * candidate.score, 0) / total;
  return {
    left: mean(({ left }) => left),
    top: mean(({ top }) => top),
    right: mean(({ right }) => right),
    bottom: mean(({ bottom }) => bottom),
    score: best.score,
    // Angles are averaged as directions, because they wrap around.
    eyeAngle: Math.atan2(
      mean(({ eyeAngle }) => Math.sin(eyeAngle)),
      mean(({ eyeAngle }) => Math.cos(eyeAngle)),
    ),
    pass: best.pass,
  };
}
