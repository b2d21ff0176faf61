import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { OnnxGraph } from '@guise/engine/models/conversion/onnx-graph.ts';
import { shareModels } from '@guise/engine/models/testing/test-models.ts';
import type { ProtocolName } from '@guise/engine/networks/protocols.ts';
import { npyOf } from '@guise/engine/networks/testing/npy.ts';
import { type Effect, testNetwork } from '@guise/engine/networks/testing/test-networks.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import sharp from 'sharp';

const BIN = path.resolve(import.meta.dirname, '../bin/guise.cjs');
const RIGHT = '--i-have-the-right-to-use-it';

let folder: string;
const inDir = (...names: string[]): string => path.join(folder, ...names);

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'guise-models-'));
  await shareModels(inDir('data'));
  const { face, body } = await readSampleFaces();
  await Promise.all([writeFile(inDir('face.jpg'), face), writeFile(inDir('body.jpg'), body)]);
  const networks: [string, ProtocolName, Effect][] = [
    ['arcface', 'arcface', 'identity'],
    ['swapper', 'inswapper', 'identity'],
    ['tint', 'hyperswap', 'tint'],
    ['ghost', 'ghost', 'identity'],
    ['sharp', 'restorer-512', 'mirror'],
  ];
  for (const [name, protocol, effect] of networks)
    await writeFile(inDir(`${name}.onnx`), testNetwork(protocol, effect));
});
after(() => rm(folder, { recursive: true }));

async function guise(...args: string[]): Promise<string> {
  const env = {
    ...process.env,
    GUISE_DATA_DIR: inDir('data'),
    DATABASE_URL: '',
    // Pixels are compared.
    GUISE_WATERMARK: 'off',
  };
  return (await promisify(execFile)(process.execPath, [BIN, ...args], { env, cwd: folder })).stdout;
}

async function json(...args: string[]): Promise<any> {
  return JSON.parse(await guise(...args, '--json'));
}

/** Runs a command that must fail, and returns what it says. */
async function failure(...args: string[]): Promise<string> {
  const failed = await guise(...args).then(
    () => null,
    (error: { stderr: string; code: number }) => error,
  );
  assert.equal(failed?.code, 1, args.join(' '));
  return failed.stderr;
}

test('a network is added with what it needs, and with the word of who adds it', async () => {
  assert.match(
    await failure('models', 'add', 'arcface.onnx'),
    /Read its licence, and add --i-have-the-right/,
  );
  assert.equal(
    await failure('models', 'add', 'swapper.onnx', RIGHT),
    'guise: A network for inswapper needs a recogniser: add one first.\n',
  );
  const recogniser = await json('models', 'add', 'arcface.onnx', RIGHT);
  assert.equal(recogniser.kind, 'recogniser');
  const swapper = await json('models', 'add', 'swapper.onnx', '--name', 'mine', RIGHT);
  assert.deepEqual(
    { ...swapper, sha256: '', bytes: 0, addedAt: '', rightConfirmedBy: '' },
    {
      kind: 'swapper',
      id: 'mine',
      protocol: 'inswapper',
      recogniser: 'arcface',
      sha256: '',
      bytes: 0,
      addedAt: '',
      rightConfirmedBy: '',
    },
  );
  assert.ok(swapper.rightConfirmedBy !== '' && Date.parse(swapper.addedAt) <= Date.now());
  const { networks } = await json('models', 'list');
  assert.deepEqual(
    networks.map((each: { id: string }) => each.id),
    ['arcface', 'mine'],
  );
  assert.match(
    await guise('models'),
    /^mine: swapper \(inswapper\), \d+ MB, with arcface, added \S+ by \S+$/m,
  );
  // Nothing is left of the copies that were not added.
  assert.deepEqual((await readdir(inDir('data/networks'))).toSorted(), ['arcface', 'mine']);
});

test('a name that is taken, a file that is no network, and an unclear one are refused', async () => {
  assert.match(
    await failure('models', 'add', 'swapper.onnx', '--name', 'mine', RIGHT),
    /mine exists already/,
  );
  assert.match(
    await failure('models', 'add', 'swapper.onnx', '--name', 'mesh', RIGHT),
    /mesh exists already/,
  );
  assert.match(
    await failure('models', 'add', 'swapper.onnx', '--name', 'A/B', RIGHT),
    /^guise: A\/B is not a name for a network: use up to 40 of a to z/,
  );
  assert.equal(
    await failure('models', 'add', 'face.jpg', RIGHT),
    'guise: face.jpg cannot be used: It is not an ONNX file.\n',
  );
  assert.equal(
    await failure('models', 'add', 'ghost.onnx', RIGHT),
    'guise: ghost.onnx cannot be used: It fits several protocols: simswap, ghost, hififace. Say which with --protocol.\n',
  );
  assert.match(
    await failure('models', 'add', 'ghost.onnx', '--protocol', 'ghost', RIGHT),
    /A network for ghost needs a converter: add one first\./,
  );
  assert.match(
    await failure('models', 'add', 'arcface.onnx', '--name', 'two', '--boost', '2', RIGHT),
    /--boost is for networks that swap faces\./,
  );
});

test('a swap by a network that changes nothing leaves the photo as it is, and the receipt names it', async () => {
  const receipt = await json('swap', 'face.jpg', 'body.jpg', '-o', 'same.png', '--engine', 'mine');
  assert.equal(receipt.engine.name, 'mine');
  const [before, swapped] = await Promise.all(
    ['body.jpg', 'same.png'].map((name) => sharp(inDir(name)).removeAlpha().raw().toBuffer()),
  );
  let largest = 0;
  for (let i = 0; i < before!.length; i++) largest = Math.max(largest, Math.abs(before![i]! - swapped![i]!));
  assert.ok(largest <= 1, `${largest} levels`);
});

test('a network changes the face alone, in a photo and in one of several people', async () => {
  await json('models', 'add', 'tint.onnx', RIGHT);
  const { faces } = await json('detect', 'body.jpg');
  const { x, y, width, height } = faces[0];
  for (const args of [
    ['swap', 'face.jpg', 'body.jpg', '-o', 'tinted.png', '--restore', '0'],
    ['swap', 'body.jpg', '--map', '0=face.jpg', '-o', 'mapped.png', '--restore', '0'],
  ]) {
    const receipt = await json(...args, '--engine', 'tint');
    assert.equal(receipt.engine.name, 'tint');
    const output = receipt.output;
    const pixel = async (file: string, left: number, top: number): Promise<Buffer> =>
      sharp(inDir(file)).removeAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
    const middle = [Math.round(x + width / 2), Math.round(y + height / 2)] as const;
    assert.notDeepEqual(await pixel(output, ...middle), await pixel('body.jpg', ...middle), output);
    assert.deepEqual(await pixel(output, 2, 2), await pixel('body.jpg', 2, 2), output);
  }
});

test('a network draws the face in a GIF, for one person and for mapped ones', async () => {
  const { faces } = await json('detect', 'body.jpg');
  const { x, y, width, height } = faces[0];
  const picture = await sharp(inDir('body.jpg')).png().toBuffer();
  const frames = [picture, await sharp(picture).modulate({ brightness: 1.05 }).png().toBuffer()];
  await sharp(frames, { join: { animated: true } })
    .gif({ delay: [80, 80] })
    .toFile(inDir('body.gif'));
  for (const args of [
    ['swap', 'face.jpg', 'body.gif', '-o', 'tinted.gif'],
    ['swap', 'body.gif', '--map', '0=face.jpg', '-o', 'mapped.gif'],
  ]) {
    const receipt = await json(...args, '--restore', '0', '--engine', 'tint');
    assert.equal(receipt.engine.name, 'tint');
    assert.equal(receipt.frames.swapped, 2);
    const cheek = {
      left: Math.round(x + width / 2),
      top: Math.round(y + 0.62 * height),
      width: 1,
      height: 1,
    };
    const colour = async (file: string): Promise<Buffer> =>
      sharp(inDir(file)).removeAlpha().extract(cheek).raw().toBuffer();
    const [before, after] = [await colour('body.gif'), await colour(receipt.output)];
    assert.ok(Math.max(...after.map((value, k) => Math.abs(value - before[k]!))) > 15, receipt.output);
  }
  assert.match(
    await failure('swap', 'face.jpg', 'body.gif', '-o', 'x.gif', '--restorer', 'arcface'),
    /^guise: arcface is a recogniser, not a restorer\.\n$/,
  );
});

test('a restorer changes the swapped face as much as the option says', async () => {
  await json('models', 'add', 'sharp.onnx', RIGHT);
  const swapped = async (output: string, ...args: string[]): Promise<Buffer> => {
    await json('swap', 'face.jpg', 'body.jpg', '-o', output, ...args);
    return sharp(inDir(output)).removeAlpha().raw().toBuffer();
  };
  const plain = await swapped('plain.png', '--face-restore', '0');
  const off = await swapped('off.png', '--face-restore', '0', '--restorer', 'sharp');
  assert.ok(plain.equals(off));
  const full = await swapped('full.png', '--restorer', 'sharp', '--engine', 'mine');
  let changed = 0;
  const own = await sharp(inDir('body.jpg')).removeAlpha().raw().toBuffer();
  for (let i = 0; i < full.length; i++) if (Math.abs(full[i]! - own[i]!) > 3) changed += 1;
  assert.ok(changed > 1000 && changed < full.length / 2, `${changed} of ${full.length}`);
});

test('a network that cannot swap or is unknown is refused', async () => {
  const swap = ['swap', 'face.jpg', 'body.jpg', '-o', 'x.png', '--engine'];
  assert.equal(
    await failure(...swap, 'other'),
    'guise: There is no network other. Those added are arcface, mine, sharp, tint.\n',
  );
  assert.match(await failure(...swap, 'arcface'), /arcface is a recogniser, not a swapper\./);
});

test('models test compares the engines on the sample faces, and makes a page', async () => {
  const { engines } = await json('models', 'test', '--report', 'report');
  assert.deepEqual(
    engines.map((each: { id: string }) => each.id),
    ['mesh', 'mine', 'tint'],
  );
  for (const { swapMs, memoryBytes } of engines) assert.ok(swapMs > 0 && memoryBytes > 1e7);
  const page = await readFile(inDir('report/index.html'), 'utf8');
  for (const name of ['source.jpg', 'target.jpg', 'mesh.png', 'mine.png', 'tint.png']) {
    assert.ok(page.includes(name), name);
    assert.ok((await sharp(inDir('report', name)).metadata()).width > 100);
  }
});

test('a provider that does not work here is named, and the network runs on the CPU', async () => {
  const args = ['swap', 'face.jpg', 'body.jpg', '-o', 'provider.png', '--engine', 'mine'];
  const env = { ...process.env, GUISE_DATA_DIR: inDir('data'), GUISE_EXECUTION_PROVIDERS: 'dml,cpu' };
  const { stderr } = await promisify(execFile)(process.execPath, [BIN, ...args], { env, cwd: folder });
  assert.match(stderr, /^guise: dml does not work here, so the network runs on cpu: .*not found\.\n$/);
  const wrong = { ...env, GUISE_EXECUTION_PROVIDERS: 'gpu' };
  await assert.rejects(
    promisify(execFile)(process.execPath, [BIN, ...args, '--force'], { env: wrong, cwd: folder }),
    /GUISE_EXECUTION_PROVIDERS must be a list of cpu, cuda, tensorrt/,
  );
});

test('an inswapper that lost its matrix gets it from another file', async () => {
  const graph = new OnnxGraph('no matrix');
  const target = graph.input('target', [1, 3, 128, 128]);
  const nothing = graph.node('Mul', [
    graph.node('ReduceMax', [graph.input('source', [1, 512])]),
    graph.scalar(0),
  ]);
  graph.output('output', [1, 3, 128, 128], graph.node('Add', [target, nothing]));
  await writeFile(inDir('simplified.onnx'), graph.encode());
  await writeFile(inDir('emap.npy'), npyOf(new Float32Array(512 * 512).fill(0.5), 512, 512));
  await writeFile(inDir('small.npy'), npyOf(new Float32Array(4), 2, 2));
  const add = ['models', 'add', 'simplified.onnx', RIGHT];
  assert.equal(
    await failure(...add),
    'guise: simplified.onnx cannot be used: It lacks the matrix of 512 x 512 for the source: give it with --matrix.\n',
  );
  assert.equal(
    await failure(...add, '--matrix', 'small.npy'),
    'guise: small.npy cannot be used: It is not a numpy file with 512 x 512 values of float32.\n',
  );
  assert.match(
    await failure('models', 'add', 'arcface.onnx', '--name', 'b', '--matrix', 'emap.npy', RIGHT),
    /--matrix is for inswapper/,
  );
  await json(...add, '--matrix', 'emap.npy');
  const receipt = await json('swap', 'face.jpg', 'body.jpg', '-o', 'simple.png', '--engine', 'simplified');
  assert.equal(receipt.engine.name, 'simplified');
});

test('a network that was damaged on the disk is never opened', async () => {
  const names = await readdir(inDir('data/networks/tint'));
  const network = names.find((name) => name.endsWith('.onnx'))!;
  await using file = await open(inDir('data/networks/tint', network), 'r+');
  await file.write(Buffer.from([1]), 0, 1, 200);
  assert.equal(
    await failure('swap', 'face.jpg', 'body.jpg', '-o', 'x.png', '--engine', 'tint'),
    'guise: The network tint is damaged: remove it, and add it again.\n',
  );
});

test('a network is removed, unless another one needs it', async () => {
  assert.match(
    await failure('models', 'remove', 'arcface'),
    /(mine|simplified) needs arcface: remove \1 first\./,
  );
  for (const id of ['mine', 'tint', 'sharp', 'simplified', 'arcface'])
    assert.deepEqual(await json('models', 'remove', id), { removed: id });
  assert.deepEqual((await json('models')).networks, []);
  assert.deepEqual(await readdir(inDir('data/networks')), []);
  assert.match(await failure('models', 'remove', 'mine'), /There is no network mine\. None has been added\./);
});
