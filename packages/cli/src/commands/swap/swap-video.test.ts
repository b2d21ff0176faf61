import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { shareModels } from '@guise/engine/models/testing/test-models.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { probeVideo } from '@guise/media/clip/probe.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { makeClip } from '@guise/media/video/test-clip.ts';
import { makeSource } from '@guise/media/video/test-source.ts';
import sharp from 'sharp';

const av = await loadNodeAv();
const skip = av === null ? 'node-av is not installed' : false;
const dir = await mkdtemp(path.join(tmpdir(), 'guise-cli-video-'));
after(() => rm(dir, { recursive: true, force: true }));
const inDir = (name: string): string => path.join(dir, name);
await shareModels(inDir('data'));
const sample = await readSampleFaces();
/** Hardware that no machine of this system has, so that x264 encodes. */
const FOREIGN_HARDWARE = process.platform === 'darwin' ? 'vaapi' : 'videotoolbox';

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `guise swap me.jpg talk.webm -o OUTPUT`, with more arguments if wanted. */
function swapTo(output: string, ...more: string[]): Promise<Run> {
  return guise('swap', 'me.jpg', 'talk.webm', '-o', output, '--json', ...more);
}

function guise(...command: string[]): Promise<Run> {
  const bin = path.resolve(import.meta.dirname, '../../../bin/guise.cjs');
  const env = {
    ...process.env,
    GUISE_DATA_DIR: inDir('data'),
    DATABASE_URL: '',
    GUISE_VIDEO_HARDWARE: FOREIGN_HARDWARE,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...command], { env, cwd: dir }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

async function assertSwapped(
  target: string,
  output: string,
  contentType: string,
  sound: string,
): Promise<void> {
  const { code, stdout, stderr } = await guise('swap', 'me.jpg', target, '-o', output, '--json');
  assert.equal(code, 0, stderr);
  assert.match(stderr, new RegExp(`^guise: ${FOREIGN_HARDWARE} does not encode here: `, 'm'));
  assert.equal(JSON.parse(stdout).contentType, contentType);
  const probe = await probeVideo(inDir(output));
  assert.deepEqual([probe.contentType, probe.audioCodec, probe.frameCount], [contentType, sound, 8]);
}

test('the name of the output says the container, whatever the target is', { skip }, async () => {
  await writeFile(inDir('me.jpg'), sample.body);
  const ticks = Array.from({ length: 8 }, (_, index) => index * 40);
  const clip = {
    container: 'webm',
    width: 320,
    height: 280,
    ticks,
    timeBase: { num: 1, den: 1000 },
  } as const;
  await makeClip(av!, inDir('plain.webm'), { ...clip, sound: true });
  const data = await sharp(sample.face).removeAlpha().raw().toBuffer();
  await processVideo({
    inputPath: inDir('plain.webm'),
    outputPath: inDir('talk.webm'),
    container: 'webm',
    onFrame: (frame) =>
      frame.commitRgb({ x: 20, y: 12, width: 256, height: 256 }, { data, width: 256, height: 256 }),
  });
  await assertSwapped('talk.webm', 'out.mov', 'video/quicktime', 'aac');
  const refused = await swapTo('out.avi');
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /^guise: out\.avi must end in \.mp4, \.webm, \.mov or \.gif\.\n$/);
});

test(
  'Matroska, AVI and MPEG-TS are read, and the name of the output says the container',
  { skip },
  async () => {
    // Of the clip that the test before made.
    for (const [name, source, output, contentType, sound] of [
      ['talk.mkv', { muxer: 'matroska' }, 'of-mkv.MP4', 'video/mp4', 'aac'],
      ['talk.avi', { muxer: 'avi', encoder: 'mjpeg' }, 'of-avi.mov', 'video/quicktime', 'aac'],
      ['talk.ts', { muxer: 'mpegts' }, 'of-ts.webm', 'video/webm', 'opus'],
    ] as const) {
      const from = name === 'talk.mkv' ? 'talk.webm' : 'out.mov';
      await makeSource(av!, inDir(from), inDir(name), source);
      await assertSwapped(name, output, contentType, sound);
    }
    const { code, stdout, stderr } = await guise('detect', 'talk.ts', '--json');
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).persons.length, 1);
    const mkv = await guise('swap', 'me.jpg', 'talk.ts', '-o', 'out.mkv');
    assert.match(mkv.stderr, /^guise: out\.mkv must end in \.mp4, \.webm, \.mov or \.gif\.\n$/);
    const verified = await guise('verify', 'talk.ts');
    assert.match(verified.stderr, /^guise: talk\.ts is not of type JPEG, .* or WebM\.\n$/);
  },
);

test('--start and --end swap a part, and are checked before the engine starts', { skip }, async () => {
  // Of the clip that the test before made: 8 pictures in 0.32 s.
  const refused = await swapTo('part.mp4', '--start', '0.1');
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /^guise: --start must lie at least 0\.5 seconds before the end of talk\.webm/);
  const wrong = await swapTo('part.mp4', '--end', '-1');
  assert.equal(wrong.code, 2);

  const ticks = Array.from({ length: 10 }, (_, index) => index * 200);
  const plain = { container: 'webm', width: 320, height: 280, ticks } as const;
  await makeClip(av!, inDir('plain.webm'), { ...plain, timeBase: { num: 1, den: 1000 } });
  const data = await sharp(sample.face).removeAlpha().raw().toBuffer();
  await processVideo({
    inputPath: inDir('plain.webm'),
    outputPath: inDir('talk.webm'),
    container: 'webm',
    onFrame: (frame) =>
      frame.commitRgb({ x: 20, y: 12, width: 256, height: 256 }, { data, width: 256, height: 256 }),
  });
  const { code, stdout, stderr } = await swapTo('part.mp4', '--start', '0.4', '--end', '1.4');
  assert.equal(code, 0, stderr);
  const receipt = JSON.parse(stdout);
  assert.deepEqual([receipt.frames.total, receipt.durationSeconds], [5, 1]);
  assert.equal((await probeVideo(inDir('part.mp4'))).frameCount, 5);
});

test('the people of a film are listed, and each gets a face by --map', { skip }, async () => {
  // Of the clip that the test before made: one person for two seconds.
  const found = await guise('detect', 'talk.webm', '--json');
  assert.equal(found.code, 0, found.stderr);
  const { persons, ...facts } = JSON.parse(found.stdout);
  assert.deepEqual(facts, { durationSeconds: 2, width: 320, height: 280, framesLooked: 10, complete: true });
  assert.deepEqual([persons.length, persons[0].share], [1, 1]);
  assert.match(
    (await guise('detect', 'talk.webm')).stdout,
    /^320 x 280, 2\.0 s, 1 person\n {2}person 0: on camera 100 %/,
  );

  const made = await guise(
    'swap',
    'talk.webm',
    '-o',
    'mapped.mp4',
    '--map',
    '0=me.jpg',
    '--end',
    '1',
    '--json',
  );
  assert.equal(made.code, 0, made.stderr);
  const receipt = JSON.parse(made.stdout);
  assert.deepEqual([receipt.persons[0].index, receipt.persons[0].framesSwapped], [0, 5]);
  assert.equal((await probeVideo(inDir('mapped.mp4'))).frameCount, 5);

  const missing = await guise('swap', 'talk.webm', '-o', 'none.mp4', '--map', '3=me.jpg');
  assert.equal(missing.code, 1);
  assert.match(
    missing.stderr,
    /--map 3=me\.jpg: the target video has no person with personIndex 3; it has 1/,
  );
  for (const wrong of [
    ['swap', 'me.jpg', 'talk.webm', '-o', 'x.mp4', '--map', '0=me.jpg'],
    ['swap', 'talk.webm', '-o', 'x.mp4', '--map', 'me.jpg'],
    ['swap', 'talk.webm', '-o', 'x.mp4', '--map', '0=me.jpg', '--map', '0=me.jpg'],
    ['swap', 'talk.webm', '-o', 'x.mp4'],
  ])
    assert.equal((await guise(...wrong)).code, 2, wrong.join(' '));
});

test('a video is refused in one sentence where node-av does not load', async () => {
  await writeFile(inDir('any.mp4'), Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'));
  // It then looks for a build of our own alone.
  process.env['AV_FROM_SOURCE'] = '1';
  for (const command of [
    ['swap', 'me.jpg', 'any.mp4', '-o', 'x.mp4'],
    ['swap', 'any.mp4', '-o', 'x.mp4', '--map', '0=me.jpg'],
    ['detect', 'any.mp4'],
  ]) {
    const { code, stderr } = await guise(...command);
    assert.equal(code, 1);
    assert.match(stderr, /Videos need the optional package node-av, which is missing here or does not load/);
  }
  delete process.env['AV_FROM_SOURCE'];
});
