import { embeddingDistance } from '../detect/embedding-distance.ts';
import type { ClipFaces, FaceTrack } from '../track/face-track.ts';

/** One person of a clip: tracks in order, which never overlap in time. */
export interface Person {
  readonly tracks: readonly FaceTrack[];
  /** Face area summed over time, pixels times seconds. */
  readonly presence: number;
}

/**
 * Distance of embeddings (Euclidean, mean of the nearest half) below which two tracks show one
 * person, whatever is between them.
 */
const SAME_PERSON_DISTANCE = 0.55;
/** Time within which a face that disappeared and a face that appeared in its place are one. */
const RETURN_SECONDS = 1;
/** Distance, in sizes of the face, up to which two places are the same. */
const RETURN_DISTANCE_SIZES = 0.8;
/** Distance of embeddings above which a face that took another's place is another person's. */
const STRANGER_DISTANCE = 0.75;
/** Smaller distance for the same, if several people must be told apart. */
const APART_STRANGER_DISTANCE = 0.6;
/** Number of frames with both faces above which the faces are of two people. */
const MAX_SHARED_FRAMES = 2;

/** How strictly people are told apart. */
export interface PersonRules {
  /** Number of frames with both faces above which the faces are of two people. */
  readonly maxSharedFrames: number;
  /**
   * Whether several people of the clip matter, and not only the main person. Identity then decides
   * who returns to a place where two people were.
   */
  readonly isApart: boolean;
}

/** Rules for finding the main person. */
const MAIN_PERSON_RULES: PersonRules = { maxSharedFrames: MAX_SHARED_FRAMES, isApart: false };
/** Rules for finding several people. */
export const APART_RULES: PersonRules = { maxSharedFrames: MAX_SHARED_FRAMES, isApart: true };

/** Lists the people in a clip, the one with the largest presence first. */
export function findPersons(clip: ClipFaces, rules: PersonRules = MAIN_PERSON_RULES): Person[] {
  const groups: FaceTrack[][] = [];
  const byPresence = [...clip.tracks].sort((a, b) => b.presence - a.presence || a.firstFrame - b.firstFrame);
  for (const track of byPresence) {
    let nearest: FaceTrack[] | null = null;
    let nearestRank = SAME_PERSON_DISTANCE;
    const mayReturn = !rules.isApart || groups.filter((group) => isReturnTo(clip, track, group)).length === 1;
    for (const group of groups) {
      const rank = rankAmong(clip, track, group, rules, mayReturn);
      if (rank >= nearestRank) continue;
      nearest = group;
      nearestRank = rank;
    }
    if (nearest) nearest.push(track);
    else groups.push([track]);
  }
  return groups
    .map((tracks) => ({
      tracks: tracks.sort((a, b) => a.firstFrame - b.firstFrame),
      presence: tracks.reduce((sum, track) => sum + track.presence, 0),
    }))
    .sort((a, b) => b.presence - a.presence);
}

/** Returns whether a track shows the person of some other tracks, as far as the clip is known. */
export function isOf(clip: ClipFaces, track: FaceTrack, others: readonly FaceTrack[]): boolean {
  return rankAmong(clip, track, others, MAIN_PERSON_RULES, true) < SAME_PERSON_DISTANCE;
}

/**
 * Measures the distance of a track from the tracks of a person. From `SAME_PERSON_DISTANCE` on, it
 * is another person's.
 */
function rankAmong(
  clip: ClipFaces,
  track: FaceTrack,
  group: readonly FaceTrack[],
  { maxSharedFrames, isApart }: PersonRules,
  mayReturn: boolean,
): number {
  if (group.some((other) => sharedFrames(track, other) > maxSharedFrames)) return Infinity;
  const distance = Math.min(...group.map((other) => identityDistance(track, other)));
  const returns =
    mayReturn &&
    isReturnTo(clip, track, group) &&
    !(distance > (isApart ? APART_STRANGER_DISTANCE : STRANGER_DISTANCE) && distance < Infinity);
  return returns ? Math.min(distance, SAME_PERSON_DISTANCE / 2) : distance;
}

function isReturnTo(clip: ClipFaces, track: FaceTrack, group: readonly FaceTrack[]): boolean {
  return group.some((other) => isReturn(clip, track, other));
}

/** Returns the distance of two identities; Infinity if one of the tracks has no embedding. */
function identityDistance(a: FaceTrack, b: FaceTrack): number {
  const distances: number[] = [];
  for (const p of a.embeddings) for (const q of b.embeddings) distances.push(embeddingDistance(p, q));
  if (distances.length === 0) return Infinity;
  distances.sort((p, q) => p - q);
  // Only the nearer half counts, because one bad look among many must not split a person.
  const counted = distances.slice(0, Math.ceil(distances.length / 2));
  return counted.reduce((sum, value) => sum + value, 0) / counted.length;
}

function sharedFrames(a: FaceTrack, b: FaceTrack): number {
  const end = Math.min(a.firstFrame + a.length, b.firstFrame + b.length);
  return Math.max(0, end - Math.max(a.firstFrame, b.firstFrame));
}

/**
 * Returns whether one track begins soon after the other has ended, at its place, without a cut
 * between.
 */
function isReturn({ times, cuts }: ClipFaces, a: FaceTrack, b: FaceTrack): boolean {
  const [first, second] = a.firstFrame < b.firstFrame ? [a, b] : [b, a];
  const last = first.firstFrame + first.length - 1;
  if (times[second.firstFrame]! - times[last]! > RETURN_SECONDS) return false;
  for (let frame = last + 1; frame <= second.firstFrame; frame++) if (cuts.has(frame)) return false;
  const from = first.place(last);
  const to = second.place(second.firstFrame);
  return Math.hypot(from.x - to.x, from.y - to.y) < RETURN_DISTANCE_SIZES * Math.max(from.size, to.size);
}
