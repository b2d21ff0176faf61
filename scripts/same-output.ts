/**
 * Shows whether two checkouts draw the same to the bit, from a set of photos, clips and GIFs:
 *
 *   node launch.cjs scripts/same-output.ts --write before.json   # in one checkout
 *   node launch.cjs scripts/same-output.ts --check before.json   # in the other; exits 1 if not
 *
 * Prints one hash an output, taken before marks and signature: a still's pixels; a clip's drawn
 * frames and written packets, each with its time stamp. The set needs only the package's samples;
 * with the fixtures it is larger. `--only TEXT` makes the outputs whose names contain TEXT.
 */
import { createHash, type Hash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CLIP_RESTORE } from '@guise/contract/ai-tasks/forms.ts';
import type { RestoreOptions } from '@guise/contract/work.ts';
import { createEngine, type Engine } from '@guise/engine/pipeline/engine.ts';
import { swapFrames } from '@guise/engine/pipeline/swap-video.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import type { ClipOutputFormat } from '@guise/contract/formats.ts';
import type { MediaFrame } from '@guise/media/video/video-types.ts';
import { Demuxer } from 'node-av/api';
import sharp from 'sharp';
import { fixture, skipWithoutFixtures } from './fixtures.ts';
import { readRgb } from './read-rgb.ts';

type Outputs = Record<string, string>;
type Photo = string | Buffer;

interface Still {
  readonly name: string;
  readonly source: Photo;
  readonly target: Photo;
  /** More photos of the source's person. */
  readonly additional?: readonly Photo[];
  /** Pixels that the longer side of each photo has at most. */
  readonly longest?: number;
  readonly restore?: RestoreOptions;
}

interface Group {
  readonly name: string;
  readonly target: Photo;
  /** Each replaces one face of the target, from the left. */
  readonly sources: readonly Photo[];
}

interface Clip {
  readonly name: string;
  readonly source: Photo;
  readonly inputPath: string;
  readonly container: ClipOutputFormat;
}

const USUAL_LONGEST_PX = 1200;
const LARGE_LONGEST_PX = 2400;
const MAX_SHORT_SIDE_PX = 480;

/**
 * Sources on targets: glasses, beards, dark skin, hands, profiles, black-and-white, hard light and
 * small faces on either side.
 */
const FIXTURE_PAIRS: readonly (readonly [source: string, target: string])[] = [
  ['p13_strothman_selfie.jpg', 'p20_murphy_glasses.jpg'],
  ['p20_murphy_glasses.jpg', 'p15a_torres_studio.jpg'],
  ['p18_kigongo_glasses.jpeg', 'p16_ponce_highkey.png'],
  ['p16_ponce_highkey.png', 'p18_kigongo_glasses.jpeg'],
  ['p34_trammell_big_beard.jpg', 'p01_collins_astronaut.png'],
  ['p01_collins_astronaut.png', 'p35_kendall_beard_glasses.jpg'],
  ['p14_miatta_darkskin.png', 'p30_strenio_outdoor.jpg'],
  ['p22_oskow_hand_chin.jpg', 'p21_austin_tilted.jpg'],
  ['p25_korenfeld_bw.jpg', 'p43_khandelwal.jpg'],
  ['p44_chang.jpg', 'p33_portigal_hands_glasses.jpg'],
  ['p19_brouilette_threequarter.jpg', 'p63_ride_nasa.jpg'],
  ['p59_muerdter_hardshadow.jpeg', 'p52_donmoyer_profile.jpg'],
  ['p60_theresa_bluehair.jpg', 'p40_shawnique_glasses_scarf.jpg'],
  ['p41_tjones_older.jpg', 'p53_julia_occluded.jpg'],
];
const FIXTURE_STILLS: readonly Still[] = [
  ...FIXTURE_PAIRS.map(([source, target]) => ({
    name: `${source} on ${target}`,
    source: `portraits/${source}`,
    target: `portraits/${target}`,
  })),
  {
    name: 'large faces',
    source: 'portraits/p13_strothman_selfie.jpg',
    target: 'portraits/p17a_kate_glasses_hires.jpg',
    longest: LARGE_LONGEST_PX,
  },
  {
    name: 'two photos of the source',
    source: 'portraits/p15a_torres_studio.jpg',
    additional: ['portraits/p15b_torres_desk.jpg'],
    target: 'portraits/p28_ahearn_soft.jpg',
  },
  {
    name: 'nothing restored',
    source: 'portraits/p30_strenio_outdoor.jpg',
    target: 'portraits/p24_kane_tilt_glasses.jpg',
    restore: { faceRestoreVisibility: 0, restoreVisibility: 0 },
  },
  {
    name: 'small face',
    source: 'portraits/p37_jscott_darkskin.jpg',
    target: 'groups/g08_videocall_grid_25.jpg',
    restore: { faceRestoreVisibility: 1, restoreVisibility: 1 },
  },
];
const FIXTURE_GROUPS: readonly Group[] = [
  {
    name: 'group of four',
    target: 'groups/g09_meeting_four.jpg',
    sources: ['portraits/p16_ponce_highkey.png', 'portraits/p14_miatta_darkskin.png'],
  },
  {
    name: 'group in hard light',
    target: 'groups/g39_india_men.jpg',
    sources: ['portraits/p45_christine_glasses.jpg', 'portraits/p20_murphy_glasses.jpg'],
  },
];
const FIXTURE_CLIPS: readonly Clip[] = [
  {
    name: 'clip of two heads',
    source: 'portraits/p13_strothman_selfie.jpg',
    inputPath: fixture('video/v21_two_heads_rotating.mp4'),
    container: 'mp4',
  },
  {
    name: 'clip of a talk',
    source: 'portraits/p20_murphy_glasses.jpg',
    inputPath: fixture('video/v26_av1_opus.mp4'),
    container: 'webm',
  },
  {
    name: 'GIF of a talk',
    source: 'portraits/p34_trammell_big_beard.jpg',
    inputPath: fixture('gif/gif08_talk_from_latentsync.gif'),
    container: 'gif',
  },
];

const { values } = parseArgs({
  options: {
    write: { type: 'string' },
    check: { type: 'string' },
    only: { type: 'string', default: '' },
    models: { type: 'string', default: path.join(os.tmpdir(), 'guise-bench-models') },
  },
});

const dir = await mkdtemp(path.join(os.tmpdir(), 'guise-same-output-'));
try {
  const outputs = await makeOutputs(await createEngine({ modelCacheDir: values.models }));
  if (values.write) await writeFile(values.write, `${JSON.stringify(outputs, null, 1)}\n`);
  if (values.check) compare(JSON.parse(await readFile(values.check, 'utf8')) as Outputs, outputs);
} finally {
  await rm(dir, { recursive: true, force: true });
}

async function makeOutputs(engine: Engine): Promise<Outputs> {
  const { face, body } = await readSampleFaces();
  const samples = await writeSampleClip(face);
  const stills: readonly Still[] = [
    { name: 'samples/face on body', source: face, target: body },
    { name: 'samples/body on face', source: body, target: face },
    ...(skipWithoutFixtures ? [] : FIXTURE_STILLS),
  ];
  const groups = skipWithoutFixtures ? [] : FIXTURE_GROUPS;
  const clips: readonly Clip[] = [
    { name: 'samples/clip', source: body, inputPath: samples, container: 'gif' },
    ...(skipWithoutFixtures ? [] : FIXTURE_CLIPS),
  ];
  const made = [
    ...stills.map((still) => ({ name: still.name, make: () => swapStill(engine, still) })),
    ...groups.map((group) => ({ name: group.name, make: () => swapGroup(engine, group) })),
    ...clips.map((clip) => ({ name: clip.name, make: () => swapClip(engine, clip) })),
  ];
  const outputs: Outputs = {};
  for (const { name, make } of made.filter((each) => each.name.includes(values.only))) {
    outputs[name] = await make();
    console.log(`${outputs[name]}  ${name}`);
  }
  await engine.close();
  return outputs;
}

/** Sets the exit code and names what differs. Outputs that were not made before do not count. */
function compare(before: Outputs, after: Outputs): void {
  const wanted = Object.keys(before).filter((name) => name.includes(values.only));
  const different = wanted.filter((name) => before[name] !== after[name]);
  for (const name of different) console.error(`${name in after ? 'different' : 'not made'}: ${name}`);
  console.log(`${wanted.length - different.length} of ${wanted.length} outputs are the same`);
  if (different.length > 0) process.exitCode = 1;
}

async function swapStill(engine: Engine, still: Still): Promise<string> {
  const { restore = CLIP_RESTORE, longest = USUAL_LONGEST_PX } = still;
  const { image, swappedFaceIndex, sourceShares } = await engine.swapImage({
    source: await readPhoto(still.source, longest),
    target: await readPhoto(still.target, longest),
    additionalSources: (still.additional ?? []).map((photo, index) => ({
      name: `additional photo ${index}`,
      image: () => readPhoto(photo, longest),
    })),
    restore,
  });
  return hashOf((hash) => {
    addImage(hash, image);
    hash.update(JSON.stringify({ swappedFaceIndex, sourceShares }));
  });
}

async function swapGroup(engine: Engine, { target, sources }: Group): Promise<string> {
  const image = await readPhoto(target, USUAL_LONGEST_PX);
  const swapped = await engine.swapGroup({
    target: image,
    targetFaces: await engine.detect(image),
    replacements: sources.map((photo, faceIndex) => ({
      name: `source ${faceIndex}`,
      source: () => readPhoto(photo, USUAL_LONGEST_PX),
      faceIndex,
    })),
    restore: CLIP_RESTORE,
  });
  return hashOf((hash) => addImage(hash, swapped.image));
}

async function swapClip(engine: Engine, { source, inputPath, container }: Clip): Promise<string> {
  const outputPath = path.join(dir, `out.${container}`);
  const hash = createHash('sha256');
  const swap = await engine.openVideoSwap({
    source: await readPhoto(source, USUAL_LONGEST_PX),
    targetName: 'target video',
    restore: CLIP_RESTORE,
  });
  try {
    await swapFrames(swap, ({ ahead, onFrame }) => {
      const drawn = async (frame: MediaFrame): Promise<void> => {
        await onFrame(frame);
        addFrame(hash, frame);
      };
      const maxShortSide = MAX_SHORT_SIDE_PX;
      const options = { inputPath, outputPath, container, maxShortSide, onFrame: drawn };
      return processVideo(ahead === undefined ? options : { ...options, ahead });
    });
  } finally {
    await swap.close();
  }
  await addPackets(hash, outputPath, container);
  return hash.digest('hex');
}

function addImage(hash: Hash, { width, height, data }: RgbImage): void {
  hash.update(`${width}x${height}`).update(data);
}

/** Adds a frame without the ends of its rows, which lie beyond the picture and hold anything. */
function addFrame(hash: Hash, frame: MediaFrame): void {
  const { timeSeconds, width, height, planes } = frame;
  hash.update(`${timeSeconds}`);
  addImage(hash, frame.rgb({ x: 0, y: 0, width, height }));
  for (const [k, plane] of (planes?.data ?? []).entries()) {
    const isChroma = k === 1 || k === 2;
    const columns = isChroma ? (width + 1) >> 1 : width;
    const rows = isChroma ? (height + 1) >> 1 : height;
    const stride = planes!.strides[k]!;
    for (let y = 0; y < rows; y++) hash.update(plane.subarray(y * stride, y * stride + columns));
  }
}

/**
 * Adds the packets, but not their bytes in MP4: x264 on several threads now and then writes other
 * bytes for the same frames.
 */
async function addPackets(hash: Hash, filePath: string, container: ClipOutputFormat): Promise<void> {
  await using input = await Demuxer.open(filePath);
  for await (using packet of input.packets()) {
    if (!packet) continue;
    const { streamIndex, pts, dts, duration, data } = packet;
    hash.update(`${streamIndex} ${pts} ${dts} ${duration}`);
    if (container !== 'mp4') hash.update(data!);
  }
}

function hashOf(add: (hash: Hash) => void): string {
  const hash = createHash('sha256');
  add(hash);
  return hash.digest('hex');
}

function readPhoto(photo: Photo, longest: number): Promise<RgbImage> {
  return readRgb(typeof photo === 'string' ? fixture(photo) : photo, { longest });
}

/**
 * Writes a GIF in which the sample face wanders, grows, and is away for a moment.
 * @returns its path
 */
async function writeSampleClip(face: Buffer): Promise<string> {
  const frames: Buffer[] = [];
  for (let frame = 0; frame < 24; frame++) {
    const side = 190 + 2 * frame;
    const picture = sharp({ create: { width: 400, height: 300, channels: 3, background: '#777' } });
    const input = await sharp(face).resize(side, side).toBuffer();
    const isAway = frame > 9 && frame < 13;
    const layers = isAway ? [] : [{ input, left: 20 + 3 * frame, top: 15 + frame }];
    frames.push(await picture.composite(layers).png().toBuffer());
  }
  const file = path.join(dir, 'samples.gif');
  const delay = frames.map(() => 80);
  await sharp(frames, { join: { animated: true } })
    .gif({ delay })
    .toFile(file);
  return file;
}
