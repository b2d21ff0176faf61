import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { testNetwork } from '@guise/engine/networks/testing/test-networks.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { canChangeUser } from '@guise/media/isolation/unprivileged-user.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { makeClip } from '@guise/media/video/test-clip.ts';
import sharp from 'sharp';
import { fixture, skipWithoutFixtures } from '../../../scripts/fixtures.ts';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '../../..');
const skip = !(canChangeUser() && process.platform === 'linux') && 'only root on Linux becomes another user';

/** A clone such as one in root's home: users without rights can open none of its files. */
describe('a clone that only root can read', { skip }, () => {
  let folder: string;
  const clone = (name: string): string => path.join(folder, 'closed/guise', name);
  const media = (name: string): string => path.join(folder, name);

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'guise-clone-'));
    await chmod(folder, 0o755);
    await mkdir(path.join(folder, 'closed'), { mode: 0o700 });
    await mkdir(clone('.'));
    const wanted = [
      'packages',
      'node_modules',
      'migrations',
      'package.json',
      'launch.cjs',
      'compile-cache.cjs',
    ];
    // Hard links are quick, but a temporary folder may be another file system. There, a gigabyte
    // waits to be written, and the first swap's file would have to wait for all of it.
    await run('sh', [
      '-c',
      'cp -al "$@" 2>/dev/null || { cp -a "$@" && sync; }',
      'sh',
      ...wanted.map((name) => path.join(ROOT, name)),
      clone('.'),
    ]);
    const { face, body } = await readSampleFaces();
    await Promise.all([writeFile(media('face.jpg'), face), writeFile(media('body.jpg'), body)]);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function guise(...args: string[]): Promise<any> {
    const env = { ...process.env, GUISE_DATA_DIR: path.join(folder, 'data'), DATABASE_URL: '' };
    const { stdout } = await run(process.execPath, [clone('packages/cli/bin/guise.cjs'), ...args, '--json'], {
      cwd: folder,
      env,
    });
    return JSON.parse(stdout);
  }

  const credentials = async (name: string) => (await guise('verify', name)).credentials;

  test('its code is out of reach for the users without rights', async () => {
    const reading = run('cat', [clone('package.json')], { uid: 65_521, gid: 65_521 });
    await assert.rejects(reading, /Permission denied/);
  });

  test('demo makes a signed picture', async () => {
    await guise('demo', '-o', 'demo');
    assert.equal((await credentials('demo/result.png')).valid, true);
  });

  test('a HEIC is decoded', { skip: skipWithoutFixtures }, async () => {
    await cp(fixture('odd/torres.heic'), media('torres.heic'));
    const { width, height } = await guise('detect', 'torres.heic');
    assert.ok(width > 0 && height > 0);
  });

  test('other formats are decoded', async () => {
    for (const format of ['avif', 'webp', 'gif'] as const) {
      await sharp(media('face.jpg'))
        .toFormat(format)
        .toFile(media(`still.${format}`));
      assert.equal((await guise('detect', `still.${format}`)).faces.length, 1);
    }
  });

  test('a GIF is swapped and signed', async () => {
    const frames = [
      await sharp(media('face.jpg')).png().toBuffer(),
      await sharp(media('face.jpg')).flop().png().toBuffer(),
    ];
    await sharp(frames, { join: { animated: true } })
      .gif({ delay: [50, 70] })
      .toFile(media('face.gif'));
    await guise('swap', 'body.jpg', 'face.gif', '-o', 'out.gif');
    assert.equal((await credentials('out.gif')).valid, true);
  });

  test('a video is looked at, swapped and signed', async (context) => {
    const av = await loadNodeAv();
    if (av === null) return context.skip('node-av is not installed');
    await makeClip(av, media('plain.mp4'), {
      container: 'mp4',
      width: 320,
      height: 280,
      ticks: Array.from({ length: 8 }, (_, index) => index * 40),
      timeBase: { num: 1, den: 1000 },
      sound: true,
    });
    const data = await sharp(media('face.jpg')).removeAlpha().raw().toBuffer();
    await processVideo({
      inputPath: media('plain.mp4'),
      outputPath: media('face.mp4'),
      container: 'mp4',
      onFrame: (frame) =>
        frame.commitRgb({ x: 20, y: 12, width: 256, height: 256 }, { data, width: 256, height: 256 }),
    });
    const look = `import { probeVideoIsolated } from ${JSON.stringify(clone('packages/media/src/clip/isolated.ts'))};
      console.log((await probeVideoIsolated('face.mp4')).width);`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', look], { cwd: folder });
    assert.equal(stdout, '320\n');
    await guise('swap', 'body.jpg', 'face.mp4', '-o', 'out.mp4');
    assert.equal((await credentials('out.mp4')).valid, true);
  });

  test('a network of the operator is tried', async () => {
    await writeFile(media('converter.onnx'), testNetwork('converter'));
    const { kind } = await guise('models', 'add', 'converter.onnx', '--i-have-the-right-to-use-it');
    assert.equal(kind, 'converter');
  });

  // The last test, because it deletes parts of the clone.
  test('prune deletes what is for other systems, keeps its own Node.js, and a swap still works', async () => {
    const bundled = `node_modules/node-linux-${process.arch}`;
    const bin = clone('packages/cli/bin/guise.cjs');
    const { stdout } = await run(clone(`${bundled}/bin/node`), [bin, 'prune', '--json'], { cwd: folder });
    const { removed, bytes } = JSON.parse(stdout) as { removed: { path: string }[]; bytes: number };
    const onnx = 'node_modules/onnxruntime-node/bin/napi-v6';
    const paths = removed.map((each) => path.relative(clone('.'), each.path));
    for (const wanted of [`${onnx}/darwin/arm64`, `${onnx}/win32/x64`, `${bundled}/include`])
      assert.ok(paths.includes(wanted), `${wanted} is deleted`);
    for (const gone of paths) assert.ok(!existsSync(clone(gone)), gone);
    assert.ok(!paths.includes(`${onnx}/linux/${process.arch}`));
    assert.ok(bytes > 1e8, `${bytes} bytes`);
    // This process runs on another Node.js that is new enough, so nobody needs the bundled one.
    assert.deepEqual(
      (await guise('prune')).removed.map((each: { path: string }) => path.relative(clone('.'), each.path)),
      [bundled],
    );
    assert.deepEqual((await guise('prune')).removed, []);
    await guise('swap', 'face.jpg', 'body.jpg', '-o', 'pruned.png');
    assert.equal((await credentials('pruned.png')).valid, true);
  });
});
