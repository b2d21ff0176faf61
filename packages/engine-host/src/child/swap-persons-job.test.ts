import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { PersonFace } from '@guise/contract/work.ts';
import { chooseFaces } from '@guise/engine/pipeline/choose-faces.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { showFrames } from '@guise/media/clip/show-frames.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import type { MediaFrame } from '@guise/media/video/video-types.ts';
import sharp from 'sharp';
import { BLANK_SIGNER } from '../protocol/blank-signer.ts';
import type { ClipPart } from '@guise/contract/work.ts';
import type { SwapPersonsJob, SwapPersonsOutcome } from '../protocol/engine-job.ts';
import { composeClip, type ComposedClip, type PlacedTile, type Tile } from '../testing/compose-clip.ts';
import { createJobTools } from './job-tools.ts';
import { runJob } from './run-job.ts';
import { engine } from '@guise/engine/pipeline/testing/test-engine.ts';

const av = await loadNodeAv();
const skip = av === null ? 'node-av is not installed' : false;
const dir = await mkdtemp(path.join(tmpdir(), 'guise-swap-persons-'));
const inDir = (name: string): string => path.join(dir, name);
after(() => rm(dir, { recursive: true, force: true }));
const { face, body } = await readSampleFaces();
await writeFile(inDir('source.jpg'), face);

const SIDE = 200;

/** The two computer-generated people: the frontal face, and the figure's, enlarged. */
const ADA = await tileOf('ada', sharp(face));
const BEA = await tileOf('bea', sharp(body).extract({ left: 490, top: 5, width: 200, height: 200 }));

async function tileOf(name: string, image: ReturnType<typeof sharp>): Promise<Tile> {
  const data = await image.resize(SIDE, SIDE).removeAlpha().raw().toBuffer();
  return { name, data, width: SIDE, height: SIDE };
}

const hooks = { signal: new AbortController().signal, signer: BLANK_SIGNER, onProgress: () => {} };
const tools = createJobTools(engine);

async function swap(
  target: string,
  faces: readonly PersonFace[],
  { part, photo = 'source.jpg' }: { readonly part?: ClipPart; readonly photo?: string } = {},
): Promise<SwapPersonsOutcome> {
  const mappings = faces.map((wanted, k) => ({
    name: `faceBox${k}`,
    face: wanted,
  }));
  const job: SwapPersonsJob = {
    kind: 'swap-persons',
    targetPath: target,
    outputPath: inDir('out.mp4'),
    container: 'mp4',
    mappings,
    sources: faces.map((_, k) => ({ name: `targetFace${k}`, path: inDir(photo) })),
    options: { restore: { faceRestoreVisibility: 0.85, restoreVisibility: 0.7 }, part },
    maxPixels: 1e8,
  };
  return (await runJob(tools, job, hooks)) as SwapPersonsOutcome;
}

/** Whose face was drawn in each frame: the names of the people, in the order of the mappings. */
async function drawnIn(
  clip: ComposedClip,
  target: string,
  faces: readonly {
    readonly seconds: number;
    readonly box: { x: number; y: number; width: number; height: number };
  }[],
): Promise<{ drawn: string[][]; others: number }> {
  const source = await engine.analyseClipSource(await rgbOf(inDir('source.jpg')), []);
  const study = await engine.openStudy(true);
  const show = (onFrame: (frame: MediaFrame) => Promise<void>): Promise<void> =>
    showFrames({ inputPath: target, container: 'mp4', onFrame });
  await show((frame) => study.look(frame, frame.index));
  await study.end();
  const wanted = faces.map((anchor, k) => ({ name: `faceBox${k}`, anchors: [anchor] }));
  const { persons, segments } = chooseFaces(
    { ...study.finish(), seams: [] },
    { width: clip.width, height: clip.height, persons: wanted },
  )!;
  const drawing = await engine.openDrawing({
    restore: { faceRestoreVisibility: 0.85, restoreVisibility: 0.7 },
    persons,
    sources: faces.map(() => source),
    segment: segments[0]!,
  });
  const drawn: string[][] = [];
  let others = 0;
  await show(async (frame) => {
    const before = frame.rgb({ x: 0, y: 0, width: frame.width, height: frame.height }).data.slice();
    await drawing.draw(frame, frame.index);
    const now = frame.rgb({ x: 0, y: 0, width: frame.width, height: frame.height }).data;
    const tiles = clip.tiles(frame.index);
    drawn.push(
      tiles.filter((placed) => isChanged(before, now, clip.width, placed)).map(({ tile }) => tile.name),
    );
    others += changedOutside(before, now, clip, tiles);
  });
  drawing.close();
  return { drawn, others };
}

async function rgbOf(file: string): Promise<Parameters<Engine['detect']>[0]> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Whether a person's face was drawn: more than a seam of another's is changed in the middle. */
function isChanged(a: Uint8Array, b: Uint8Array, width: number, { x, y, tile }: PlacedTile): boolean {
  let changed = 0;
  const part = Math.round(tile.width * 0.3);
  for (let row = 0; row < part; row++)
    for (let column = 0; column < part; column++) {
      const at = 3 * ((Math.round(y) + part + row) * width + Math.round(x) + part + column);
      if (a[at] !== b[at] || a[at + 1] !== b[at + 1]) changed += 1;
    }
  return changed > 0.4 * part * part;
}

/** Pixels that were changed outside of all people. */
function changedOutside(
  a: Uint8Array,
  b: Uint8Array,
  { width, height }: ComposedClip,
  tiles: readonly PlacedTile[],
): number {
  let changed = 0;
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const isInside = tiles.some(
        ({ x, y, tile }) =>
          column >= x - 2 && column < x + tile.width + 2 && row >= y - 2 && row < y + tile.height + 2,
      );
      const at = 3 * (row * width + column);
      if (!isInside && (a[at] !== b[at] || a[at + 1] !== b[at + 1] || a[at + 2] !== b[at + 2])) changed += 1;
    }
  return changed;
}

const GROUND = { width: 640, height: 240, frames: 30, framesPerSecond: 10 };
/** Side by side, a little in motion; after 1.5 s, behind a cut, the other way round. */
const CUT: ComposedClip = {
  ...GROUND,
  tiles: (frame) => {
    const drift = frame % 10;
    const [left, right] = [30 + drift, 400 - drift];
    return frame < 15
      ? [
          { tile: ADA, x: left, y: 20 },
          { tile: BEA, x: right, y: 20 },
        ]
      : [
          { tile: BEA, x: left, y: 30 },
          { tile: ADA, x: right, y: 10 },
        ];
  },
};
/** Ada passes before Bea, from left to right. */
const CROSSING: ComposedClip = {
  ...GROUND,
  frames: 60,
  framesPerSecond: 15,
  tiles: (frame) => [
    { tile: BEA, x: 400 - 6 * frame, y: 20 },
    { tile: ADA, x: 20 + 6.5 * frame, y: 20 },
  ],
};
/** The box around the face of a tile at some place, in shares of the picture. */
const boxAt = (x: number, y: number) => ({
  x: (x + 0.15 * SIDE) / GROUND.width,
  y: (y + 0.1 * SIDE) / GROUND.height,
  width: (0.7 * SIDE) / GROUND.width,
  height: (0.8 * SIDE) / GROUND.height,
});
const ADA_FIRST = { seconds: 0, box: boxAt(30, 20) };
const BEA_FIRST = { seconds: 0, box: boxAt(400, 20) };

test(
  'over a cut, each keeps the face that was given; who is not mapped stays to the bit',
  { skip },
  async () => {
    const target = inDir('cut.mp4');
    await composeClip(av!, target, CUT);
    const one = await drawnIn(CUT, target, [BEA_FIRST]);
    assert.deepEqual(one, { drawn: Array.from({ length: 30 }, () => ['bea']), others: 0 });
    const both = await drawnIn(CUT, target, [ADA_FIRST, BEA_FIRST]);
    assert.deepEqual(
      both.drawn.map((names) => names.toSorted()),
      Array.from({ length: 30 }, () => ['ada', 'bea']),
    );
  },
);

test('who passes before another does not take the other’s role', { skip }, async () => {
  const target = inDir('crossing.mp4');
  await composeClip(av!, target, CROSSING);
  const { drawn } = await drawnIn(CROSSING, target, [{ seconds: 0, box: boxAt(20, 20) }]);
  assert.ok(drawn.filter((names) => names.includes('ada')).length >= 59, JSON.stringify(drawn));
  const behind = await drawnIn(CROSSING, target, [BEA_FIRST]);
  const apart = behind.drawn.filter((_, frame) => Math.abs(380 - 12.5 * frame) > 1.2 * SIDE);
  assert.ok(
    apart.every((names) => names.join() === 'bea'),
    JSON.stringify(behind.drawn),
  );
});

test('people are numbered as detect-faces numbers them, and a part has its own time', { skip }, async () => {
  const target = inDir('numbered.mp4');
  await composeClip(av!, target, CUT);
  const looked = await runJob(
    tools,
    { kind: 'look-at-clip', name: 'video', targetPath: target, budgetMs: Infinity },
    hooks,
  );
  assert.ok('sofar' in looked && looked.isComplete);
  assert.deepEqual(
    looked.persons.map(({ share }) => share),
    [1, 1],
  );
  const outcome = await swap(target, [{ personIndex: 1 }, { personIndex: 0 }], {
    part: { startSeconds: 1, endSeconds: 2.5 },
  });
  assert.deepEqual([outcome.frames.total, outcome.frames.swapped, outcome.durationSeconds], [15, 15, 1.5]);
  assert.deepEqual(
    outcome.persons.map(({ framesSwapped }) => framesSwapped),
    [15, 15],
  );
});

test('slices of a look tell what one look tells', { skip }, async () => {
  const target = inDir('numbered.mp4');
  const look = { kind: 'look-at-clip', name: 'video', targetPath: target } as const;
  const whole = await runJob(tools, { ...look, budgetMs: Infinity }, hooks);
  let slices = 0;
  let last = await runJob(tools, { ...look, budgetMs: 1 }, hooks);
  while ('sofar' in last && !last.isComplete && slices < 60) {
    slices += 1;
    last = await runJob(
      tools,
      { ...look, budgetMs: 1, sofar: JSON.parse(JSON.stringify(last.sofar)) },
      hooks,
    );
  }
  assert.ok(slices > 1, `${slices} slices`);
  assert.deepEqual(last, whole);
  const lie = { next: 0, looks: [{ seconds: 0, faces: [{}] }] } as never;
  await assert.rejects(runJob(tools, { ...look, budgetMs: 1, sofar: lie }, hooks));
});

test('a mapping without a face fails with its name, and so do two of one person', { skip }, async () => {
  const target = inDir('numbered.mp4');
  const nowhere = { seconds: 0.5, box: { x: 0.01, y: 0.9, width: 0.05, height: 0.08 } };
  await assert.rejects(swap(target, [ADA_FIRST, nowhere]), {
    code: 'FACE_NOT_FOUND',
    message: /^faceBox1: /,
  });
  await assert.rejects(swap(target, [{ personIndex: 2 }]), {
    code: 'FACE_NOT_FOUND',
    message: /it has 2\.$/,
  });
  await assert.rejects(swap(target, [ADA_FIRST, { seconds: 2, box: boxAt(400, 10) }]), {
    code: 'FACE_BOX_CONFLICT',
    message: 'faceBox0 and faceBox1 both mean the same person.',
  });
  await sharp({ create: { width: 64, height: 64, channels: 3, background: '#567' } }).toFile(
    inDir('blank.png'),
  );
  await assert.rejects(swap(target, [ADA_FIRST], { photo: 'blank.png' }), {
    message: 'No face was found in targetFace0.',
  });
});
