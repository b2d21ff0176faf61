import { TaskFailure } from '@guise/contract/errors.ts';
import { boxOfPoints, intersectionOverUnion } from '../face/geometry/box.ts';
import { type FaceBox, MESH_VERTEX_COUNT } from '../face/geometry/face.ts';
import { readRecord } from '../face/geometry/mesh-record.ts';
import { APART_RULES, findPersons, type Person } from '../face/persons/persons.ts';
import type { ClipFaces, FaceTrack } from '../face/track/face-track.ts';
import { edgesOf } from './clip-look.ts';

/** Place of a mapped person's face at a moment. */
export interface FaceAnchor {
  /** Seconds since the clip's first picture. */
  readonly seconds: number;
  /** Shares of the frame's width and height. */
  readonly box: FaceBox;
}

/** A person to find in a clip. */
export interface MappedPerson {
  /** Name in error messages: `faceBox1`. */
  readonly name: string;
  /** Moments that show the person: one from a client, or all looks at a person. */
  readonly anchors: readonly FaceAnchor[];
}

/** A clip whose faces are all known. */
export interface KnownClip {
  readonly faces: ClipFaces;
  readonly width: number;
  readonly height: number;
}

/** Smallest overlap of a box and its face, as a share of their union. */
const MIN_OVERLAP = 0.3;
/** Largest time between a box's moment and a frame in which its face was seen, seconds. */
const ANCHOR_SECONDS = 0.25;

/**
 * Finds the mapped people, each with all of the tracks that show it.
 * @returns one entry per mapping, in their order
 * @throws TaskFailure FACE_NOT_FOUND, FACE_BOX_CONFLICT, which name the mapping
 */
export function findMapped(clip: KnownClip, wanted: readonly MappedPerson[]): Person[] {
  const tracks = clip.faces.tracks.filter(({ length }) => length > 0);
  const persons = findPersons({ ...clip.faces, tracks }, APART_RULES);
  const takenBy = new Map<Person, string>();
  return wanted.map((mapped) => {
    const person = personOf(clip, mapped, persons);
    if (person === null)
      throw new TaskFailure('FACE_NOT_FOUND', `${mapped.name}: the clip has no face at this place and time.`);
    const other = takenBy.get(person);
    if (other !== undefined)
      throw new TaskFailure('FACE_BOX_CONFLICT', `${other} and ${mapped.name} both mean the same person.`);
    takenBy.set(person, mapped.name);
    return person;
  });
}

/**
 * Returns the person for whom most anchors vote, weighted by the area of their boxes; null if none
 * does.
 */
function personOf(clip: KnownClip, { anchors }: MappedPerson, persons: readonly Person[]): Person | null {
  const votes = new Map<Person, number>();
  for (const anchor of anchors) {
    const track = trackAt(clip, anchor, persons);
    const person = track && persons.find(({ tracks }) => tracks.includes(track));
    if (person) votes.set(person, (votes.get(person) ?? 0) + anchor.box.width * anchor.box.height);
  }
  const [best] = [...votes].sort(([, a], [, b]) => b - a);
  return best?.[0] ?? null;
}

/**
 * Returns the track that an anchor shows, in the frame shown at that moment or in a neighbouring
 * frame.
 */
function trackAt({ faces, width, height }: KnownClip, anchor: FaceAnchor, persons: readonly Person[]) {
  const { times } = faces;
  const shown = Math.max(
    0,
    times.findLastIndex((time) => time <= anchor.seconds + 1e-6),
  );
  const near = [...times.keys()]
    .filter((frame) => Math.abs(times[frame]! - anchor.seconds) <= ANCHOR_SECONDS || frame === shown)
    .sort((a, b) => Math.abs(a - shown) - Math.abs(b - shown));
  const wanted = edgesOf({
    x: anchor.box.x * width,
    y: anchor.box.y * height,
    width: anchor.box.width * width,
    height: anchor.box.height * height,
  });
  const tracks = persons.flatMap((person) => person.tracks);
  for (const frame of near) {
    let best: FaceTrack | null = null;
    let bestOverlap = -1;
    for (const track of tracks) {
      if (frame < track.firstFrame || frame >= track.firstFrame + track.length) continue;
      const face = boxOfPoints(
        readRecord(track.mesh(frame), new Float32Array(MESH_VERTEX_COUNT * 3)),
        MESH_VERTEX_COUNT,
      );
      const overlap = intersectionOverUnion(wanted, face);
      const [x, y] = [(wanted.left + wanted.right) / 2, (wanted.top + wanted.bottom) / 2];
      const isInside = x >= face.left && x <= face.right && y >= face.top && y <= face.bottom;
      if ((overlap < MIN_OVERLAP && !isInside) || overlap <= bestOverlap) continue;
      best = track;
      bestOverlap = overlap;
    }
    if (best !== null) return best;
  }
  return null;
}
