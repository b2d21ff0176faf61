import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMBEDDING_LENGTH } from '../face/detect/embedding.ts';
import { boxOfPoints } from '../face/geometry/box.ts';
import { LANDMARK_COUNT } from '../face/geometry/face.ts';
import { type MeshRecord, readRecord } from '../face/geometry/mesh-record.ts';
import { chooseFaces, joinStudies, type WantedPersons } from './choose-faces.ts';
import type { MappedPerson } from './mapped-persons.ts';
import { type FilmPlan, readPlan, writePlan } from '../film/film-plan.ts';
import { pack, unpack } from '../film/packed-bytes.ts';
import { type ReadStudy, readStudy, writeStudy } from '../film/segment-study.ts';

/** Frames a second; a tick is a millisecond. */
const RATE = 25;
const TICK_SECONDS = 0.001;
const STARTS = [0, 20_000, 40_000];
const END = 60_000;
const LEAD = 1200;
const TRAIL = 700;

/** Somebody in the film: where, from when to when, and who. */
interface Actor {
  readonly x: number;
  readonly size: number;
  readonly from: number;
  readonly to: number;
  readonly who: number;
}

function meshOf({ x, size, who }: Actor, tick: number): MeshRecord {
  const points = Int16Array.from({ length: 3 * LANDMARK_COUNT }, (_, i) => 100 * who + (i % 7) + (tick % 31));
  return { x: x + 0.25 * Math.sin(tick), y: 200, size, points };
}

/** An actor as a client names one: by the box after a second, in a picture of 1000 x 500 pixels. */
function mappedAtOneSecond(actor: Actor): MappedPerson {
  const points = readRecord(meshOf(actor, 1000), new Float32Array(3 * LANDMARK_COUNT));
  const { left, top, right, bottom } = boxOfPoints(points, LANDMARK_COUNT);
  const box = { x: left / 1000, y: top / 500, width: (right - left) / 1000, height: (bottom - top) / 500 };
  return { name: `${actor.who}`, anchors: [{ seconds: 1, box }] };
}

/** What the study of one segment would find, written and read back. */
function studyOf(segment: number, actors: readonly Actor[], cuts: readonly number[] = []): ReadStudy {
  const from = Math.max(0, STARTS[segment]! - LEAD);
  const to = Math.min(END, (STARTS[segment + 1] ?? END) + TRAIL);
  const ticks = Array.from({ length: (END * RATE) / 1000 }, (_, k) => (k * 1000) / RATE).filter(
    (tick) => tick >= from && tick < to,
  );
  const tracks = actors.flatMap((actor) => {
    // A cut ends what is followed.
    const bounds = [actor.from, ...cuts.filter((cut) => cut > actor.from && cut < actor.to), actor.to];
    return bounds.slice(1).flatMap((end, k) => {
      const own = ticks.filter((tick) => tick >= bounds[k]! && tick < end);
      return own.length === 0 ? [] : [{ actor, own }];
    });
  });
  const meshes = tracks.map(({ actor, own }) => own.map((tick) => meshOf(actor, tick)));
  const study = {
    ticks,
    cuts: cuts.filter((cut) => ticks.includes(cut) && cut > from).map((cut) => ticks.indexOf(cut)),
    about: null,
    tracks: tracks.map(({ actor, own }, k) => ({
      firstFrame: ticks.indexOf(own[0]!),
      litFrom: 0.1,
      places: meshes[k]!.map(({ x, y, size }) => ({ x, y, size })),
      embeddings: [new Float32Array(EMBEDDING_LENGTH).fill(actor.who)],
    })),
  };
  return readStudy(writeStudy(study, meshes));
}

function choose(
  actors: readonly Actor[],
  cuts: readonly number[] = [],
  wanted: WantedPersons | null = null,
): FilmPlan | null {
  const studies = STARTS.map((_, segment) => studyOf(segment, actors, cuts));
  const film = joinStudies({ studies, starts: STARTS, tickSeconds: TICK_SECONDS });
  const plan = chooseFaces(film, wanted);
  return plan && { ...plan, about: 'film' };
}

const LONGEST: Actor = { x: 300, size: 120, from: 0, to: END, who: 1 };

test('a face is one person through all segments, every mesh as its segment has it', () => {
  const plan = choose([LONGEST])!;
  assert.deepEqual(plan.receipt, {
    facesFound: 1,
    frames: { total: 1500, swapped: 1500, bridged: 0, passedThrough: 0 },
    longestGapFrames: 0,
    persons: [{ framesSwapped: 1500, longestGapFrames: 0 }],
  });
  assert.deepEqual(
    plan.segments.map(({ from, frames }) => [from, frames]),
    STARTS.map((start) => [start, 500]),
  );
  for (const { from, faces } of plan.segments) {
    const fresh = faces.filter(({ isFresh }) => isFresh).map(({ tick }) => tick);
    assert.deepEqual(fresh, from === 0 ? [0] : []);
    for (const { mesh, tick, frame } of faces) {
      assert.deepEqual(mesh, meshOf(LONGEST, tick));
      assert.equal(frame, (tick * RATE) / 1000);
    }
  }
});

test('a seam inside a scene has a lead of dense frames, and studied ones before them', () => {
  const { from, faces } = choose([LONGEST])!.segments[1]!;
  const lead = faces.filter(({ tick }) => tick < from);
  const studied = lead.filter(({ isStudied }) => isStudied);
  assert.equal(studied.length, 6);
  assert.ok(from - studied[0]!.tick >= 3000);
  const dense = lead.filter(({ isStudied }) => !isStudied).map(({ tick }) => tick);
  assert.deepEqual(
    dense,
    Array.from({ length: 12 }, (_, k) => from - 40 * (12 - k)),
  );
  assert.ok(lead.every(({ isMeasured }) => !isMeasured));
});

test('a seam moves to a cut nearby, where nothing carries over', () => {
  const { segments } = choose([LONGEST], [21_400])!;
  assert.equal(segments[1]!.from, 21_400);
  assert.equal(segments[1]!.faces[0]!.tick, 21_400);
  assert.equal(segments[1]!.faces[0]!.isFresh, true);
  assert.equal(segments[0]!.to, 21_400);
});

test('the film is about who is there longest, even if others were first', () => {
  const early = { x: 600, size: 100, from: 0, to: 18_000, who: 2 };
  const late = { x: 300, size: 120, from: 15_000, to: END, who: 1 };
  const { receipt, segments } = choose([early, late])!;
  assert.equal(receipt.facesFound, 2);
  assert.equal(receipt.frames.swapped, ((END - 15_000) * RATE) / 1000);
  assert.ok(segments.every(({ faces }) => faces.every(({ mesh }) => mesh.size === 120)));
});

test('a face that is away for a moment at a seam is bridged', () => {
  const { receipt } = choose([
    { ...LONGEST, to: 19_880 },
    { ...LONGEST, from: 20_080 },
  ])!;
  assert.deepEqual(receipt.frames, { total: 1500, swapped: 1500, bridged: 5, passedThrough: 0 });
});

test('each wanted person is planned alone, and a seam moves to where neither carries over', () => {
  const left = { x: 300, size: 120, from: 0, to: 21_000, who: 1 };
  const right = { x: 700, size: 100, from: 0, to: 19_000, who: 2 };
  const again = { ...right, from: 21_200, to: END };
  const wanted = { width: 1000, height: 500, persons: [right, left].map(mappedAtOneSecond) };
  const { receipt, persons, segments } = choose([left, right, again], [], wanted)!;
  assert.deepEqual(receipt.persons, [
    { framesSwapped: 475 + 970, longestGapFrames: 55 },
    { framesSwapped: 525, longestGapFrames: 0 },
  ]);
  assert.deepEqual([receipt.frames.swapped, receipt.longestGapFrames], [1495, 5]);
  assert.deepEqual(
    persons.map(({ meshes }) => meshes[0]!.size),
    [100, 120],
  );
  const [first, second, third] = segments;
  // The second seam moves to the pause in which neither is there, the third stays.
  assert.ok(second!.from >= 21_000 && second!.from <= 21_200, `${second!.from}`);
  assert.equal(third!.from, 40_000);
  assert.deepEqual(
    first!.faces.slice(0, 4).map(({ person, tick }) => [person, tick]),
    [
      [0, 0],
      [1, 0],
      [0, 40],
      [1, 40],
    ],
  );
  const lead = third!.faces.filter(({ tick }) => tick < third!.from);
  assert.ok(lead.length >= 12 && lead.every(({ person }) => person === 0));
  for (const { person, mesh } of segments.flatMap(({ faces }) => faces))
    assert.equal(mesh.size, person === 0 ? 100 : 120);
});

test('a film without a face has no plan', () => assert.equal(choose([]), null));

test('a plan is read as it was written, segment by segment', () => {
  const plan = choose([LONGEST])!;
  const read = readPlan(writePlan(plan));
  assert.deepEqual([read.receipt, read.about, read.segmentCount], [plan.receipt, 'film', 3]);
  assert.deepEqual(read.persons, plan.persons);
  for (const [k, segment] of plan.segments.entries()) assert.deepEqual(read.segment(k), segment);
  assert.throws(() => read.segment(3));
});

test('a plan of any number of faces can be read', () => {
  for (let frames = 61; frames < 130; frames++) {
    const plan = choose([{ ...LONGEST, to: (frames * 1000) / RATE }])!;
    assert.equal(readPlan(writePlan(plan)).receipt.frames.swapped, frames);
  }
});

test('a file that is cut short is refused', () => {
  const bytes = writePlan(choose([LONGEST])!);
  for (const size of [0, 3, 4, 100, bytes.length >> 1, bytes.length - 1])
    assert.throws(() => readPlan(bytes.subarray(0, size)));
});

test('a study that lies is refused, before memory is taken for it', () => {
  const meshes = [[meshOf(LONGEST, 0), meshOf(LONGEST, 40)]];
  const honest = {
    version: 1,
    ticks: [0, 40],
    cuts: [],
    tracks: [{ firstFrame: 0, length: 2, litFrom: 0, embeddings: 0 }],
    about: null,
  };
  const { blocks } = unpack(
    writeStudy(
      { ...honest, tracks: [{ firstFrame: 0, litFrom: 0, places: meshes[0]!, embeddings: [] }] },
      meshes,
    ),
  );
  const read = (header: object): ReadStudy => readStudy(pack({ ...honest, ...header }, blocks));
  assert.equal(read({}).points(0).length, 2);
  for (const lie of [
    { version: 2 },
    { ticks: [40, 0] },
    { ticks: [0, NaN] },
    { ticks: 'many' },
    { cuts: [2] },
    { tracks: [{ firstFrame: 1, length: 2, litFrom: 0, embeddings: 0 }] },
    { tracks: [{ firstFrame: 0, length: 2, litFrom: 0, embeddings: 1 }] },
    { tracks: [{ firstFrame: 0, length: 2, litFrom: 2, embeddings: 0 }] },
    { tracks: [{ firstFrame: 0, length: 1, litFrom: 0, embeddings: 0 }] },
    { tracks: [{ firstFrame: 0, length: 2e9, embeddings: 0 }] },
    { tracks: [null] },
  ])
    assert.throws(() => read(lie), `${JSON.stringify(lie)}`);
});

test('a plan that lies is refused', () => {
  const { header, blocks } = unpack(writePlan(choose([LONGEST])!));
  const { segments, receipt } = header as { segments: object[]; receipt: object };
  const read = (change: object): unknown =>
    readPlan(pack({ ...(header as object), ...change }, blocks)).segment(0);
  read({});
  for (const lie of [
    { version: 1 },
    { persons: [] },
    { persons: [{ meshes: 0, litFrom: 0 }] },
    { persons: [{ meshes: 1e6, litFrom: 0 }] },
    { persons: [{ meshes: 60, litFrom: 2 }] },
    { receipt: { ...receipt, persons: [] } },
    { receipt: { ...receipt, persons: [{ framesSwapped: 'all', longestGapFrames: 0 }] } },
    { receipt: { ...receipt, facesFound: -1 } },
    { segments: [] },
    { segments: Array.from({ length: 100 }, () => segments[0]) },
    { segments: [{ ...segments[0], faces: [[0, 0, 2, 0, 0]] }, ...segments.slice(1)] },
    { segments: [{ ...segments[0], faces: [[0, 0, 1, 99, 0]] }, ...segments.slice(1)] },
    { segments: [{ ...segments[0], faces: [[0, 0, 1, 0, 1]] }, ...segments.slice(1)] },
    { segments: [{ ...segments[0], to: -5 }, ...segments.slice(1)] },
  ])
    assert.throws(() => read(lie), `${JSON.stringify(lie).slice(0, 80)}`);
});
