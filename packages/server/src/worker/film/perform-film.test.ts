import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { ProtocolName } from '@guise/engine/networks/protocols.ts';
import { labelLikeness } from '@guise/engine-host/testing/label-likeness.ts';
import { testNetwork } from '@guise/engine/networks/testing/test-networks.ts';
import type { FrameProgress } from '@guise/contract/work.ts';
import { probeVideo } from '@guise/media/clip/probe.ts';
import { processVideo } from '@guise/media/clip/process-video.ts';
import { verifyFile } from '@guise/media/provenance/verify.ts';
import { scanVideo } from '@guise/media/video/scan-video.ts';
import { loadNodeAv } from '@guise/media/video/node-av.ts';
import { makeClip } from '@guise/media/video/test-clip.ts';
import { SWAP_PROVENANCE } from '@guise/media/xmp/xmp.ts';
import sharp from 'sharp';
import { NetworkStore } from '../../networks/network-store.ts';
import { heldNetworks } from '../../networks/testing/test-networks.ts';
import { createTask } from '../../tasks/create-task.ts';
import type { NeededNetworks } from '../../networks/network-key.ts';
import type { Task } from '../../tasks/task.ts';
import {
  COST,
  db,
  dir,
  ended,
  newAccount,
  read,
  realEngine,
  sample,
  startWorker,
  storage,
  storeInput,
  until,
} from '../testing/worker-rig.ts';

const av = await loadNodeAv();
const skip = av === null ? 'node-av is not installed' : false;
/** Frames a second of the test's film. */
const RATE = 1;
const FRAMES = RATE * 62;

/** A film of the sample face, which is away in the middle third. */
async function faceFilm(): Promise<Buffer> {
  const [plain, withFace] = [path.join(dir, 'plain-film.mp4'), path.join(dir, 'film.mp4')];
  const ticks = Array.from({ length: FRAMES }, (_, k) => k);
  const clip = { container: 'mp4', width: 320, height: 288, ticks, sound: true } as const;
  await makeClip(av!, plain, { ...clip, timeBase: { num: 1, den: RATE } });
  const { data } = await sharp(sample.face).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  await processVideo({
    inputPath: plain,
    outputPath: withFace,
    container: 'mp4',
    onFrame: (frame) => {
      const isAway = frame.index >= FRAMES / 3 && frame.index < (2 * FRAMES) / 3;
      const rect = { x: 16 + (frame.index % 40), y: 16, width: 256, height: 256 };
      if (!isAway) frame.commitRgb(rect, { data, width: 256, height: 256 });
    },
  });
  return readFile(withFace);
}

/** Submits a film of its main person, or a labelled one of a mapped person whom networks draw. */
async function submitFilm(networks?: NeededNetworks): Promise<Task> {
  const accountId = await newAccount();
  const target = await storeInput(accountId, 'target_video', await faceFilm());
  const source = await storeInput(accountId, 'source_image', sample.body);
  const { task } = await createTask(db, {
    accountId,
    interface: 'ai-tasks',
    type: 'VIDEO_SWAP',
    lane: 'long',
    parameters: {},
    work: {
      ...(networks === undefined
        ? { kind: 'swap-video', source }
        : {
            kind: 'swap-persons',
            as: 'video',
            mappings: [{ index: 3, name: 'face_mappings[0]', source, face: { personIndex: 0 } }],
            networks,
            label: true,
          }),
      target: { ...target, contentType: 'video/mp4', durationSeconds: 62 },
      restore: { faceRestoreVisibility: 1, restoreVisibility: networks === undefined ? 1 : 0 },
      container: 'mov',
      size: { maxLongSide: 200 },
    },
    costCredits: COST,
  });
  return task!;
}

const mean = (values: Uint8Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the middle of a film's first picture. */
async function faceIn(file: string): Promise<Uint8Array> {
  const frames: Uint8Array[] = [];
  await scanVideo(file, (frame) => {
    if (frames.length === 0) frames.push(frame.rgb({ x: 60, y: 60, width: 60, height: 60 }).data.slice());
  });
  return frames[0]!;
}

test(
  'a film of a minute comes out whole, marked and signed, with its frames counted as they come',
  { skip },
  async (context) => {
    startWorker(context, [await realEngine(), await realEngine()]);
    const task = await submitFilm();
    const shown: FrameProgress[] = [];
    const progress: number[] = [];
    await until(task, 'it ends', (now) => {
      if (now.result?.progressFrames) shown.push(now.result.progressFrames);
      progress.push(now.progress);
      return now.status !== 'PENDING' && now.status !== 'PROCESSING';
    });
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
    );
    const done = shown.map((each) => each.done);
    assert.deepEqual(
      done,
      done.toSorted((a, b) => a - b),
    );
    assert.ok(shown.length > 0 && shown.every(({ total }) => total === FRAMES));

    const final = await ended((await read(task))!);
    assert.equal(final.status, 'COMPLETED', JSON.stringify(final.error));
    const { outputs, receipt } = final.result!;
    const [output] = outputs;
    assert.deepEqual([output!.contentType, output!.width, output!.height], ['video/quicktime', 200, 180]);
    assert.ok(output!.objectKey.endsWith('.mov'));
    const away = Array.from({ length: FRAMES }, (_, k) => k).filter(
      (k) => k >= FRAMES / 3 && k < (2 * FRAMES) / 3,
    ).length;
    const { total, swapped, passedThrough } = receipt!.frames;
    assert.deepEqual([total, swapped + passedThrough], [FRAMES, FRAMES]);
    assert.ok(Math.abs(passedThrough - away) <= 4, `${passedThrough} frames without a face, of ${away}`);
    assert.ok(receipt!.longestGapFrames >= passedThrough - 4);
    assert.equal(receipt!.engine.name, 'mesh');
    assert.ok(receipt!.identitySimilarity! > 0.2);
    await storage.withLocalFile(output!.objectKey, async (file) => {
      const probe = await probeVideo(file);
      assert.deepEqual([probe.container, probe.audioCodec, probe.frameCount], ['mov', 'aac', FRAMES]);
      const { xmp, c2pa } = await verifyFile(file, 'video/quicktime', {});
      assert.deepEqual([xmp, c2pa !== null], [SWAP_PROVENANCE, true]);
    });
  },
);

test(
  'a network draws a mapped person in every segment of a film, and each frame has the label',
  { skip },
  async (context) => {
    const store = new NetworkStore(path.join(dir, 'networks'));
    const add = async (id: string, protocol: ProtocolName): Promise<void> => {
      const file = path.join(dir, `${id}.onnx`);
      await writeFile(file, testNetwork(protocol, 'tint'));
      await store.add(await store.copyIn(file), { id, protocol });
    };
    await add('arcface', 'arcface');
    await add('tint', 'hyperswap');
    const networks = heldNetworks(path.join(dir, 'networks'));
    await networks.refresh();
    const [swapper] = networks.keys;
    startWorker(context, [await realEngine(), await realEngine()], {}, storage, networks);
    const { status, error, result } = await ended(await submitFilm({ swapper: swapper! }));
    assert.equal(status, 'COMPLETED', JSON.stringify(error));
    assert.equal(result!.receipt!.engine.name, 'tint');
    assert.equal(result!.receipt!.label, true);
    const [person, ...others] = result!.receipt!.persons!;
    assert.deepEqual(others, []);
    assert.deepEqual([person!.index, person!.framesSwapped], [3, result!.receipt!.frames.swapped]);
    const { total, swapped, passedThrough } = result!.receipt!.frames;
    assert.deepEqual([total, swapped + passedThrough], [FRAMES, FRAMES]);
    await storage.withLocalFile(result!.outputs[0]!.objectKey, async (file) => {
      const { data } = await sharp(sample.face)
        .resize(160)
        .extract({ left: 50, top: 50, width: 60, height: 60 })
        .raw()
        .toBuffer({ resolveWithObject: true });
      assert.ok(mean(await faceIn(file)) > mean(data) + 10, 'the face was not tinted');
      const likenesses: number[] = [];
      await scanVideo(file, (frame) => void likenesses.push(labelLikeness(frame.luma())));
      assert.equal(likenesses.length, FRAMES);
      assert.ok(Math.min(...likenesses) > 0.95, `${Math.min(...likenesses)}`);
    });
  },
);
