import { intersectionOverUnion, boxOfPoints } from '../face/geometry/box.ts';
import { loadCanonicalFace } from '../face/geometry/canonical-face.ts';
import type { FaceAnalyser } from '../face/detect/analyser.ts';
import { embeddingDistance } from '../face/detect/embedding-distance.ts';
import { type FaceBox, type HeadPose, MESH_VERTEX_COUNT } from '../face/geometry/face.ts';
import { poseOfMesh } from '../face/geometry/pose.ts';
import type { VideoFrame } from '../face/frame/video-frame.ts';
import { findPersons } from '../face/persons/persons.ts';
import { embedFace } from '../face/track/face-crop.ts';
import type { FaceTrack } from '../face/track/face-track.ts';
import { searchFaces } from '../face/track/search-faces.ts';
import { MIN_FACE_FOR_IDENTITY_PX } from './identity-similarity.ts';

/** A face in one of the frames of a look. */
export interface SeenFace {
  /** Shares of the frame's width and height. */
  readonly box: FaceBox;
  readonly pose: HeadPose;
  /** Embedding that tells who it is; null if the face is too small. */
  readonly embedding: readonly number[] | null;
}

/** One look at a clip. */
export interface ClipLook {
  readonly seconds: number;
  readonly faces: readonly SeenFace[];
}

/** A person of a clip according to some looks. */
export interface ClipPerson {
  /** Share of the looks that show the person, 0..1. */
  readonly share: number;
  /** Times of each appearance, from and to, seconds. */
  readonly appearances: readonly (readonly [number, number])[];
  /** The look in which the person is best visible. */
  readonly best: Omit<SeenFace, 'embedding'> & { readonly seconds: number };
  /** Time and box in every look at the person. */
  readonly sightings: readonly { readonly seconds: number; readonly box: FaceBox }[];
}

/** Number of faces of a frame to use at most: the largest ones. */
export const MAX_FACES = 12;
/** Intersection over union above which the faces of two looks are in the same place. */
const SAME_PLACE_OVERLAP = 0.3;
/** Two looks that are at most this far apart show the same face in the same place, seconds. */
const SAME_PLACE_SECONDS = 1;
/** Distance of embeddings above which two faces in the same place are different faces. */
const STRANGER_DISTANCE = 0.6;
/** Rotation above which a face is a person's best one only if all others are turned as far. */
const FRONTAL_DEGREES = 35;
/**
 * If there are at least this many looks, a face without an identity is ignored if only one look
 * shows it.
 */
const MANY_LOOKS = 6;

/**
 * Finds the faces of one frame, and their identities.
 * @param isThorough see `searchFaces`
 */
export async function lookAtFrame(
  analyser: FaceAnalyser,
  frame: VideoFrame,
  isThorough: boolean,
): Promise<SeenFace[]> {
  const canonical = await loadCanonicalFace();
  const seen: SeenFace[] = [];
  for (const landmarks of await searchFaces(analyser, frame, [], MAX_FACES, isThorough)) {
    const { left, top, right, bottom } = boxOfPoints(landmarks, MESH_VERTEX_COUNT);
    const isLarge = Math.max(right - left, bottom - top) >= MIN_FACE_FOR_IDENTITY_PX;
    seen.push({
      box: {
        x: left / frame.width,
        y: top / frame.height,
        width: (right - left) / frame.width,
        height: (bottom - top) / frame.height,
      },
      pose: poseOfMesh(landmarks, canonical),
      embedding: isLarge ? [...(await embedFace(analyser, frame, landmarks))].map(shortened) : null,
    });
  }
  return seen;
}

/** Rounds to four digits, so that data stored between slices gives the same results as before. */
function shortened(value: number): number {
  // Avoids -0, which JSON cannot store.
  return Math.round(value * 1e4) / 1e4 + 0;
}

/**
 * Finds the people of a clip from the looks at it, the one with the largest presence first.
 * @param durationSeconds of the whole clip
 */
export function personsOfLooks(looks: readonly ClipLook[], durationSeconds: number): ClipPerson[] {
  const times = looks.map(({ seconds }) => seconds);
  // There may be a cut between any two looks.
  const cuts = new Set(times.keys());
  const tracks = linkLooks(looks);
  return findPersons({ tracks, times, cuts }, { maxSharedFrames: 0, isApart: true })
    .map((person) => person.tracks as readonly LookTrack[])
    .filter((shown) => looks.length < MANY_LOOKS || shown.length > 1 || isSomebody(shown[0]!))
    .map((shown) => describePerson(looks, shown, durationSeconds));
}

function isSomebody({ embeddings, length }: LookTrack): boolean {
  return embeddings.length > 0 || length > 1;
}

/** A face that several consecutive looks show in the same place. */
class LookTrack implements FaceTrack {
  readonly firstFrame: number;
  readonly faces: SeenFace[];
  readonly litFrom = 0;
  presence = 0;

  constructor(firstFrame: number, face: SeenFace) {
    this.firstFrame = firstFrame;
    this.faces = [face];
  }

  get length(): number {
    return this.faces.length;
  }

  get embeddings(): Float32Array[] {
    return this.faces.flatMap(({ embedding }) => (embedding === null ? [] : [Float32Array.from(embedding)]));
  }

  place(frame: number): ReturnType<FaceTrack['place']> {
    const { x, y, width, height } = this.faces[frame - this.firstFrame]!.box;
    return { x: x + width / 2, y: y + height / 2, size: Math.max(width, height), points: NO_POINTS };
  }

  mesh(frame: number): ReturnType<FaceTrack['mesh']> {
    return this.place(frame);
  }
}

/** Points of a record that has only a place. */
const NO_POINTS = new Int16Array(0);

function linkLooks(looks: readonly ClipLook[]): LookTrack[] {
  const tracks: LookTrack[] = [];
  let live: LookTrack[] = [];
  for (const [look, { seconds, faces }] of looks.entries()) {
    const lasts = (looks[look + 1]?.seconds ?? seconds) - (looks[look - 1]?.seconds ?? seconds);
    const gap = seconds - (looks[look - 1]?.seconds ?? -Infinity);
    const free = new Set(gap <= SAME_PLACE_SECONDS ? live : []);
    live = faces.map((face) => {
      const track = [...free].find((each) => isSameFace(each.faces.at(-1)!, face));
      const found = track ?? new LookTrack(look, face);
      if (track === undefined) tracks.push(found);
      else {
        free.delete(track);
        track.faces.push(face);
      }
      found.presence += face.box.width * face.box.height * Math.max(1e-3, lasts / 2);
      return found;
    });
  }
  return tracks;
}

function isSameFace(a: SeenFace, b: SeenFace): boolean {
  if (intersectionOverUnion(edgesOf(a.box), edgesOf(b.box)) < SAME_PLACE_OVERLAP) return false;
  if (a.embedding === null || b.embedding === null) return true;
  return (
    embeddingDistance(Float32Array.from(a.embedding), Float32Array.from(b.embedding)) < STRANGER_DISTANCE
  );
}

/** Returns the edges of a box. */
export function edgesOf({ x, y, width, height }: FaceBox): Parameters<typeof intersectionOverUnion>[0] {
  return { left: x, top: y, right: x + width, bottom: y + height };
}

function describePerson(
  looks: readonly ClipLook[],
  tracks: readonly LookTrack[],
  durationSeconds: number,
): ClipPerson {
  const shown = new Map(
    tracks.flatMap(({ firstFrame, faces }) => faces.map((face, k) => [firstFrame + k, face] as const)),
  );
  const inOrder = [...shown].sort(([a], [b]) => a - b);
  let [bestLook, best] = inOrder[0]!;
  for (const [look, face] of inOrder) if (worthOf(face) > worthOf(best)) [bestLook, best] = [look, face];
  const appearances: [number, number][] = [];
  for (const [look] of inOrder) {
    const { seconds } = looks[look]!;
    const from = look === 0 ? 0 : (looks[look - 1]!.seconds + seconds) / 2;
    const to = look === looks.length - 1 ? durationSeconds : (looks[look + 1]!.seconds + seconds) / 2;
    const last = appearances.at(-1);
    if (last !== undefined && shown.has(look - 1)) last[1] = to;
    else appearances.push([from, to]);
  }
  return {
    share: shown.size / looks.length,
    appearances,
    best: { seconds: looks[bestLook]!.seconds, box: best.box, pose: best.pose },
    sightings: inOrder.map(([look, { box }]) => ({ seconds: looks[look]!.seconds, box })),
  };
}

/** Measures how well a face shows its person. Large faces seen from the front are best. */
function worthOf({ box, pose }: SeenFace): number {
  const turned = Math.max(Math.abs(pose.yaw), Math.abs(pose.pitch));
  return box.width * box.height * (turned < FRONTAL_DEGREES ? 1 : 0.1);
}
