import type { MeshRecord } from '../face/geometry/mesh-record.ts';
import type { TimedFace } from '../face/persons/person-timeline.ts';
import { packPlaces, packPoints, unpackPlaces, unpackPoints } from './mesh-block.ts';
import { isCount, isSide, mustHold, pack, unpack } from './packed-bytes.ts';

/** A face that is drawn in one frame of a film. */
export interface PlannedFace extends TimedFace {
  /** Number of its person among the plan's persons. */
  readonly person: number;
  /** Time stamp of the frame, in ticks since the film's first picture. */
  readonly tick: number;
  /** Number of the frame in the film. */
  readonly frame: number;
  /** Whether the result's similarity to the source is measured here. */
  readonly isMeasured: boolean;
  /** Whether slow properties are studied here in any case. */
  readonly isStudied: boolean;
}

/** One segment to draw. */
export interface PlannedSegment {
  /** Ticks since the film's first picture at which it begins. */
  readonly from: number;
  /** Tick before which it ends. */
  readonly to: number;
  /** Number of the segment's own frames, with and without a face. */
  readonly frames: number;
  /**
   * Faces in the order of the frames, and of the persons in each frame. Those before `from` are its
   * lead: they are drawn first and thrown away, so that properties that are followed from frame to
   * frame are known at the boundary.
   */
  readonly faces: readonly PlannedFace[];
}

/** A person who gets another face, as far as it matters for drawing. */
export interface PlannedPerson {
  /** Some of the person's meshes, evenly spread over the film. The source is fitted to them. */
  readonly meshes: readonly MeshRecord[];
  /** Side from which the person is lit, see `FaceTrack`. */
  readonly litFrom: number;
}

/** Facts about a film from its studies: the same parts as in a `SwapVideoReceipt`. */
export interface FilmReceipt {
  readonly facesFound: number;
  readonly frames: {
    readonly total: number;
    readonly swapped: number;
    readonly bridged: number;
    readonly passedThrough: number;
  };
  readonly longestGapFrames: number;
  /** Counts for each person alone, in the order of the plan's persons. */
  readonly persons: readonly { readonly framesSwapped: number; readonly longestGapFrames: number }[];
}

/** All decisions about a film that drawing its segments needs. */
export interface FilmPlan {
  readonly receipt: FilmReceipt;
  /** People who get another face, in the order of the sources. */
  readonly persons: readonly PlannedPerson[];
  readonly segments: readonly PlannedSegment[];
  /** Further data that the caller stores with the plan and checks. */
  readonly about: unknown;
}

/** Numbers of a face in addition to its mesh. */
type FaceNumbers = readonly [tick: number, frame: number, opacity: number, flags: number, person: number];

/** Beginning of a plan's file. Blocks follow in pairs: places and points. */
interface PlanHeader {
  readonly version: 2;
  readonly receipt: FilmReceipt;
  readonly persons: readonly { readonly meshes: number; readonly litFrom: number }[];
  readonly segments: readonly {
    readonly from: number;
    readonly to: number;
    readonly frames: number;
    readonly faces: readonly FaceNumbers[];
  }[];
  readonly about: unknown;
}

/** Flag of a face that does not continue from the frame before. */
const IS_FRESH = 1;
/** Flag of a face that was not seen in its frame. */
const IS_BRIDGED = 2;
/** Flag of a face whose similarity is measured. */
const IS_MEASURED = 4;
/** Flag of a face that is studied in any case. */
const IS_STUDIED = 8;
/** Largest number of segments of a film. */
export const MAX_SEGMENTS = 64;
/** Largest number of frames of a film. */
const MAX_FRAMES = 160_000;
/** Largest number of people who get another face. */
const MAX_PERSONS = 16;
/** Largest number of faces in a segment, more than in half an hour of four people. */
const MAX_FACES = 4 * MAX_FRAMES;
/** Largest number of meshes to which a source is fitted. */
export const MAX_FITTED_MESHES = 60;
/** Largest tick. */
const MAX_TICK = 2 ** 50;

/** Writes a plan. */
export function writePlan({ receipt, persons, segments, about }: FilmPlan): Buffer {
  const header: PlanHeader = {
    version: 2,
    receipt,
    persons: persons.map(({ meshes, litFrom }) => ({ meshes: meshes.length, litFrom })),
    segments: segments.map(({ from, to, frames, faces }) => ({
      from,
      to,
      frames,
      faces: faces.map(numbersOf),
    })),
    about,
  };
  const blocks = [
    ...persons.map(({ meshes }) => meshes),
    ...segments.map(({ faces }) => faces.map(({ mesh }) => mesh)),
  ];
  return pack(
    header,
    blocks.flatMap((records) => [packPlaces(records), packPoints(records)]),
  );
}

/** A plan that was read back. Segments are unpacked on request. */
export interface ReadPlan extends Omit<FilmPlan, 'segments'> {
  readonly segmentCount: number;
  /** @throws Error if the file is damaged or there is no such segment */
  segment(index: number): PlannedSegment;
}

/**
 * Reads a plan. An attacker may control the machine that wrote it.
 * @throws Error if it is not a plan
 */
export function readPlan(bytes: Buffer): ReadPlan {
  const { header, blocks } = unpack(bytes);
  const { receipt, persons, segments, about } = checkHeader(header);
  mustHold(blocks.length === 2 * (persons.length + segments.length));
  const records = (at: number, count: number): MeshRecord[] => {
    const places = unpackPlaces(blocks[2 * at]!, count);
    const points = unpackPoints(blocks[2 * at + 1]!, count);
    return places.map(({ x, y, size }, k) => ({ x, y, size, points: points[k]! }));
  };
  return {
    receipt,
    persons: persons.map(({ meshes, litFrom }, k) => ({ meshes: records(k, meshes), litFrom })),
    about,
    segmentCount: segments.length,
    segment(index) {
      const segment = segments[index];
      mustHold(segment !== undefined);
      const { from, to, frames, faces } = segment;
      const drawn = records(persons.length + index, faces.length);
      return { from, to, frames, faces: faces.map((numbers, k) => faceOf(numbers, drawn[k]!)) };
    },
  };
}

function numbersOf({ tick, frame, opacity, person, ...face }: PlannedFace): FaceNumbers {
  const flags =
    (face.isFresh ? IS_FRESH : 0) |
    (face.isBridged ? IS_BRIDGED : 0) |
    (face.isMeasured ? IS_MEASURED : 0) |
    (face.isStudied ? IS_STUDIED : 0);
  return [tick, frame, opacity, flags, person];
}

function faceOf([tick, frame, opacity, flags, person]: FaceNumbers, mesh: MeshRecord): PlannedFace {
  return {
    person,
    tick,
    frame,
    opacity,
    mesh,
    isFresh: (flags & IS_FRESH) !== 0,
    isBridged: (flags & IS_BRIDGED) !== 0,
    isMeasured: (flags & IS_MEASURED) !== 0,
    isStudied: (flags & IS_STUDIED) !== 0,
  };
}

function checkHeader(header: unknown): PlanHeader {
  const plan = (header ?? {}) as Partial<PlanHeader>;
  const { segments, persons, receipt } = plan;
  mustHold(plan.version === 2 && Array.isArray(segments) && segments.length <= MAX_SEGMENTS);
  mustHold(Array.isArray(persons) && persons.length > 0 && persons.length <= MAX_PERSONS);
  for (const { meshes, litFrom } of persons)
    mustHold(isCount(meshes, MAX_FITTED_MESHES) && meshes > 0 && isSide(litFrom));
  const { frames, persons: each } = receipt ?? {};
  mustHold(Array.isArray(each) && each.length === persons.length);
  for (const count of [
    receipt?.facesFound,
    receipt?.longestGapFrames,
    frames?.total,
    frames?.swapped,
    frames?.bridged,
    frames?.passedThrough,
    ...each.flatMap(({ framesSwapped, longestGapFrames }) => [framesSwapped, longestGapFrames]),
  ])
    mustHold(isCount(count, MAX_FRAMES));
  for (const { from, to, frames: own, faces } of segments) {
    mustHold(isCount(from, MAX_TICK) && isCount(to, MAX_TICK) && from < to && isCount(own, MAX_FRAMES));
    mustHold(Array.isArray(faces) && faces.length <= MAX_FACES);
    mustHold(faces.every((face) => isFace(face, persons.length)));
    mustHold(faces.every((face, k) => face[0] < to && (k === 0 || isAfter(face, faces[k - 1]!))));
  }
  return plan as PlanHeader;
}

/** Returns whether a face follows another one in the order of `PlannedSegment`. */
function isAfter(face: FaceNumbers, before: FaceNumbers): boolean {
  return face[0] > before[0] || (face[0] === before[0] && face[4] > before[4]);
}

function isFace(numbers: unknown, persons: number): boolean {
  if (!Array.isArray(numbers) || numbers.length !== 5) return false;
  const [tick, frame, opacity, flags, person] = numbers as unknown[];
  return (
    isCount(tick, MAX_TICK) &&
    isCount(frame, MAX_FRAMES) &&
    typeof opacity === 'number' &&
    opacity >= 0 &&
    opacity <= 1 &&
    isCount(flags, 15) &&
    isCount(person, persons - 1)
  );
}
