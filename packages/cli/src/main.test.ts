import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { Value } from 'typebox/value';
import { verificationSchema } from '@guise/contract/ai-tasks/verification.ts';
import { probeImage } from '@guise/media/image/probe.ts';
import { openEmbedded } from '@guise/server/db/embedded.ts';
import { shareModels } from '@guise/engine/models/testing/test-models.ts';
import { DEMO_FACES, readSampleFaces } from '@guise/engine/samples/sample-faces.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'guise-cli-'));
// PostgreSQL runs as another user if the tests run as root.
await chmod(dir, 0o711);
after(() => rm(dir, { recursive: true, force: true }));
const inDir = (name: string): string => path.join(dir, name);
const sample = await readSampleFaces();
await writeFile(inDir('face.jpg'), sample.face);
await writeFile(inDir('body.jpg'), sample.body);
await shareModels(inDir('data'));
// Commands use a database, but make none.
await (await openEmbedded(inDir('data'), { role: 'service' })).stop();

interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `guise` as a user does. */
function guise(...args: string[]): Promise<Finished> {
  return guiseIn('data', ...args);
}

function guiseIn(dataDir: string, ...args: string[]): Promise<Finished> {
  return guiseWith({}, dataDir, ...args);
}

function guiseWith(more: NodeJS.ProcessEnv, dataDir: string, ...args: string[]): Promise<Finished> {
  const bin = path.resolve(import.meta.dirname, '../bin/guise.cjs');
  const env = { ...process.env, GUISE_DATA_DIR: inDir(dataDir), DATABASE_URL: '', ...more };
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...args], { env, cwd: dir }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

async function json(...args: string[]): Promise<any> {
  const finished = await guise(...args, '--json');
  assert.equal(finished.code, 0, finished.stderr);
  return JSON.parse(finished.stdout);
}

function pixelsOf(name: string): Promise<Buffer> {
  return sharp(inDir(name)).raw().toBuffer();
}

/** What several tests look at, because each command takes seconds. */
const plain = await json('swap', 'face.jpg', 'body.jpg', '-o', 'plain.png');
const detected = await json('detect', 'body.jpg');

test('swap writes the file it says, in the format of its name, and its receipt holds the timings, and how much came from which photo', async () => {
  const more = ['--source', 'face.jpg', '--source', 'body.jpg'];
  const receipt = await json('swap', 'face.jpg', 'body.jpg', '-o', 'out.webp', ...more);
  for (const [file, type, { output, contentType, bytes, facesFound, ...told }] of [
    ['plain.png', 'image/png', plain],
    ['out.webp', 'image/webp', receipt],
  ] as const) {
    const probe = await probeImage(inDir(file), { maxPixels: 10_000_000 });
    assert.deepEqual([probe.contentType, probe.width, probe.height], [type, 1200, 1200]);
    assert.deepEqual([output, contentType, bytes], [file, type, (await readFile(inDir(file))).length]);
    assert.deepEqual([facesFound, told.swappedFaceIndex, told.engine.name], [1, 0, 'mesh']);
    assert.ok(told.timingsMs.total >= told.timingsMs.engine);
    assert.deepEqual(told.warnings, []);
  }
  const { sourceShares } = receipt;
  assert.deepEqual(
    sourceShares.map(({ file }: { file: string }) => file),
    ['face.jpg', 'face.jpg', 'body.jpg'],
  );
  assert.ok(sourceShares[1].share > 0.1, JSON.stringify(sourceShares));
});

test('swap tells a person in one line what it did', async () => {
  const { code, stdout } = await guise('swap', 'face.jpg', 'body.jpg', '-o', 'out.jpg', '--restore', '0.5');
  assert.equal(code, 0);
  assert.match(stdout, /^Swapped the only face and wrote out\.jpg \(1200 x 1200, \d+ KiB\) in \d+ ms\..*\n$/);
});

test("restore defaults are the HTTP interface's: of stills and of clips, and what is said counts for both", async () => {
  // The pictures differ, because equal ones would be merged into one.
  const frames = await Promise.all(
    [0, 12, 24].map((light) => sharp(sample.face).resize(256).linear(1, light).toBuffer()),
  );
  const gif = await sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 100, 100] })
    .toBuffer();
  await writeFile(inDir('clip.gif'), gif);
  const moving = await json('swap', 'face.jpg', 'clip.gif', '-o', 'moving.gif');
  const still = await json('swap', 'face.jpg', 'clip.gif', '-o', 'still.png');
  const told = await json('swap', 'face.jpg', 'clip.gif', '-o', 'told.gif', '--restore', '0.25');
  assert.deepEqual(
    [moving, still, told].map((receipt) => [receipt.faceRestoreVisibility, receipt.restoreVisibility]),
    [
      [0.85, 0.7],
      [1, 1],
      [0.85, 0.25],
    ],
  );
  assert.deepEqual(moving.frames, { total: 3, swapped: 3, bridged: 0, passedThrough: 0 });
  assert.deepEqual(
    [moving.contentType, moving.bytes],
    ['image/gif', (await readFile(inDir('moving.gif'))).length],
  );
});

test('swap puts the visible label on if the user or the operator wants it, and its receipt says so; --force replaces a file', async () => {
  const swap = async (env: NodeJS.ProcessEnv, ...more: string[]) => {
    const args = ['swap', 'face.jpg', 'body.jpg', '-o', 'label.png', '--force', '--json', ...more];
    const { code, stdout, stderr } = await guiseWith(env, 'data', ...args);
    assert.equal(code, 0, stderr);
    return { label: JSON.parse(stdout).label, pixels: await pixelsOf('label.png') };
  };
  // What was there is replaced, as `--force` wants it.
  await writeFile(inDir('label.png'), 'mine');
  const asked = await swap({}, '--label');
  const always = await swap({ GUISE_LABEL: 'always' });
  assert.deepEqual([plain.label, asked.label, always.label], [false, true, true]);
  assert.ok(!asked.pixels.equals(await pixelsOf('plain.png')));
  assert.ok(always.pixels.equals(asked.pixels));
  const wrong = await guiseWith(
    { GUISE_LABEL: 'never' },
    'data',
    'swap',
    'face.jpg',
    'body.jpg',
    '-o',
    'x.png',
  );
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /GUISE_LABEL.*on-request.*always/);
});

test('swap and detect say what is wrong with a photo and what to do', async () => {
  const message = 'is only 113 pixels across; one of 150 pixels or more gives a sharper result.';
  const receipt = await json('swap', 'body.jpg', 'face.jpg', '-o', 'small.png');
  assert.deepEqual(receipt.warnings, [
    { file: 'body.jpg', code: 'SMALL_FACE', role: 'source', message: `The face in body.jpg ${message}` },
  ]);
  const { stdout } = await guise('swap', 'body.jpg', 'face.jpg', '-o', 'small.png', '--force');
  assert.match(stdout, /\nWarning: The face in body\.jpg is only 113 pixels across; [^\n]+\.\n$/);
  assert.deepEqual(detected.warnings, [
    { faceIndex: 0, code: 'SMALL_FACE', role: 'source', message: `Face 0 ${message}` },
  ]);
  assert.match((await guise('detect', 'body.jpg')).stdout, /^ {4}as a source: Face 0 is only 113 pixels/m);
  assert.ok(!('warnings' in (await json('detect', 'face.jpg'))));
});

test('detect lists every face with its box and pose', () => {
  const { width, height, faces } = detected;
  assert.deepEqual([width, height, faces.length], [1200, 1200, 1]);
  const [face] = faces;
  assert.equal(face.faceIndex, 0);
  assert.ok(face.x > 0 && face.x + face.width < 1200 && face.score > 0.5);
  for (const name of ['yaw', 'pitch', 'roll']) assert.equal(typeof face[name], 'number');
});

test('the box of a face that the edge cuts through ends there, as in the API', async () => {
  const [whole] = detected.faces;
  const left = Math.round(whole.x + whole.width / 4);
  await sharp(sample.body)
    .extract({ left, top: 0, width: 1200 - left, height: 1200 })
    .toFile(inDir('edge.png'));
  const { width, height, faces } = await json('detect', 'edge.png');
  assert.deepEqual([width, height, faces.length], [1200 - left, 1200, 1]);
  assert.equal(faces[0].x, 0);
  assert.match((await guise('detect', 'edge.png')).stdout, /^ {2}face 0: \d+ x \d+ at \(0, \d+\)/m);
});

test('demo swaps two computer-generated faces with no photo at hand', async () => {
  const { code, stdout } = await guise('demo', '-o', 'demo');
  assert.equal(code, 0);
  assert.match(stdout, /wrote demo\/result\.png/);
  const probe = await probeImage(inDir('demo/result.png'), { maxPixels: 10_000_000 });
  assert.deepEqual([probe.contentType, probe.width], ['image/png', 640]);
});

test('swap and demo replace no file without --force, and never an input; demo does with it', async () => {
  await writeFile(inDir('mine.png'), 'mine');
  const refused = await guise('swap', 'face.jpg', 'body.jpg', '-o', 'mine.png');
  assert.deepEqual(
    [refused.code, refused.stderr],
    [1, 'guise: mine.png exists already; --force replaces it.\n'],
  );
  assert.equal(await readFile(inDir('mine.png'), 'utf8'), 'mine');
  for (const input of ['face.jpg', 'body.jpg', 'plain.png']) {
    const args = ['swap', 'face.jpg', 'body.jpg', '--source', 'plain.png', '-o', input, '--force'];
    const { code, stderr } = await guise(...args);
    assert.deepEqual([code, stderr], [1, `guise: ${input} is an input: name another output.\n`]);
  }
  const mapped = await guise('swap', 'clip.gif', '--map', '0=face.jpg', '-o', 'face.jpg', '--force');
  assert.equal(mapped.stderr, 'guise: face.jpg is an input: name another output.\n');
  await writeFile(inDir('demo/source.jpg'), 'mine');
  const demo = await guise('demo', '-o', 'demo');
  assert.equal(demo.stderr, 'guise: demo/source.jpg exists already; --force replaces it.\n');
  assert.equal(await readFile(inDir('demo/source.jpg'), 'utf8'), 'mine');
  assert.match(
    (await guise('demo', '-o', 'mine.png')).stderr,
    /^guise: mine\.png is not a folder; give a folder\.\n$/,
  );
  await json('demo', '-o', 'demo', '--force');
  assert.deepEqual(await readFile(inDir('demo/source.jpg')), await readFile(DEMO_FACES.source));
});

test('swap --map replaces faces of a photo by their numbers, and names a face that is not there', async () => {
  const pair = await sharp({ create: { width: 1280, height: 640, channels: 3, background: 'grey' } })
    .composite([
      { input: DEMO_FACES.source, left: 0, top: 0 },
      { input: DEMO_FACES.target, left: 640, top: 0 },
    ])
    .jpeg()
    .toBuffer();
  await writeFile(inDir('pair.jpg'), pair);
  const args = ['swap', 'pair.jpg', '-o', 'mapped.png', '--map', '1=face.jpg', '--json'];
  const { stdout } = await guiseWith({ GUISE_WATERMARK: 'off' }, 'data', ...args);
  const receipt = JSON.parse(stdout);
  assert.deepEqual([receipt.contentType, receipt.facesFound, receipt.faces], ['image/png', 2, [1]]);
  const difference = async (left: number): Promise<number> => {
    const part = { left, top: 0, width: 640, height: 640 };
    const [before, after] = await Promise.all(
      ['pair.jpg', 'mapped.png'].map((name) =>
        sharp(inDir(name)).extract(part).removeAlpha().raw().toBuffer(),
      ),
    );
    return before!.reduce((largest, value, at) => Math.max(largest, Math.abs(value - after![at]!)), 0);
  };
  assert.equal(await difference(0), 0);
  assert.ok((await difference(640)) > 30);
  assert.match(
    (await guise('swap', 'pair.jpg', '-o', 'none.png', '--map', '2=face.jpg')).stderr,
    /^guise: --map 2=face\.jpg: pair\.jpg has no face 2; it has 2\.\n$/,
  );
});

test('swap takes a folder: all photos in it, and says which failed and which files are none', async () => {
  await mkdir(inDir('photos'));
  await copyFile(DEMO_FACES.target, inDir('photos/b.jpg'));
  await sharp(DEMO_FACES.source).gif().toFile(inDir('photos/a.gif'));
  await sharp({ create: { width: 64, height: 64, channels: 3, background: 'grey' } })
    .png()
    .toFile(inDir('photos/empty.png'));
  await writeFile(inDir('photos/notes.txt'), 'not a photo');
  const first = await guise('swap', 'face.jpg', 'photos', '-o', 'swapped');
  assert.equal(first.code, 1);
  const lines = first.stdout.split('\n').filter((line) => !line.startsWith('Warning: '));
  assert.match(lines[0]!, /^Swapped the only face and wrote swapped\/a\.png /);
  assert.match(lines[1]!, /^Swapped the only face and wrote swapped\/b\.jpg /);
  assert.match(lines[2]!, /^photos\/empty\.png was not swapped: No face /);
  assert.deepEqual(lines.slice(3), [
    '2 of 3 photos were swapped.',
    'Not photos, and left out: notes.txt.',
    '',
  ]);
  assert.deepEqual((await readdir(inDir('swapped'))).sort(), ['a.png', 'b.jpg']);

  const again = await guise('swap', 'face.jpg', 'photos', '-o', 'swapped');
  assert.deepEqual([again.code, again.stdout], [1, '']);
  assert.match(again.stderr, /^guise: swapped\/a\.png exists already; --force replaces it\.\n$/);
  await rm(inDir('photos/empty.png'));
  const own = await guise('swap', 'face.jpg', 'photos', '-o', 'photos', '--force');
  assert.match(own.stderr, /^guise: photos\/b\.jpg is an input: name another output\.\n$/);
  const receipt = await json('swap', 'face.jpg', 'photos', '-o', 'swapped', '--force');
  assert.deepEqual([receipt.outputs.length, receipt.failures, receipt.leftOut], [2, [], ['notes.txt']]);
});

test('verify tells an untouched result from a changed one and from any other picture', async () => {
  const intact = await guise('verify', 'plain.png');
  assert.equal(intact.code, 0);
  assert.match(intact.stdout, /^plain\.png: intact\. .*\nSays: a composite .* made with guise\/0\.2\.0\.\n/);
  assert.match(intact.stdout, /Signed by: guise operator [0-9a-f]{8}, this installation's own certificate\./);
  const own = await json('verify', 'plain.png');
  const { marked, ownSignature, credentials, xmp } = own;
  assert.deepEqual(
    [marked, ownSignature, credentials.valid, credentials.trusted, xmp.creatorTool],
    [true, true, true, true, 'guise'],
  );
  assert.ok(Value.Check(verificationSchema, own));

  const bytes = await readFile(inDir('plain.png'));
  bytes[bytes.length >> 1]! ^= 1;
  await writeFile(inDir('changed.png'), bytes);
  const changed = await guise('verify', 'changed.png');
  assert.equal(changed.code, 1);
  assert.match(changed.stdout, /^changed\.png: NOT INTACT\. It was changed after it was signed/);

  const plain = await guise('verify', 'body.jpg');
  assert.equal(plain.code, 1);
  assert.match(plain.stdout, /^body\.jpg: no content credentials\.\nXMP: says nothing/);
});

test('verify does not believe the certificate of another installation', async () => {
  const { code, stdout } = await guiseIn('elsewhere', 'verify', 'out.jpg');
  assert.equal(code, 0);
  assert.match(
    stdout,
    /Signed by: "guise operator [0-9a-f]{8}", .*This installation does not know the certificate/,
  );
  await assert.rejects(access(inDir('elsewhere')));
});

const withoutExiftool =
  spawnSync('exiftool', ['-ver']).error === undefined ? false : 'exiftool is not installed';
test('a program of others reads the marks', { skip: withoutExiftool }, async () => {
  for (const name of ['plain.png', 'out.jpg']) {
    const { watermark, digitalSourceType } = await json('verify', name);
    const { stdout } = await promisify(execFile)('exiftool', ['-json', '-n', inDir(name)]);
    const [said] = JSON.parse(stdout);
    assert.deepEqual(
      [said.DigitalSourceType, said.CreatorTool, said.ActionsDigitalSourceType, said.BlocksValue],
      [digitalSourceType, 'guise', digitalSourceType, watermark.id],
    );
    assert.deepEqual(said.ActionsAction, ['c2pa.created', 'c2pa.watermarked.bound']);
  }
});

test('models lists every built-in model and its file', async () => {
  const { models } = await json('models');
  assert.ok(models.length >= 4);
  for (const model of models) assert.ok(model.bytes > 100_000, model.name);
});

test('a failure is one plain sentence on stderr and exit code 1', async () => {
  await writeFile(inDir('not-an-image.jpg'), 'hello');
  await writeFile(inDir('cut.jpg'), sample.body.subarray(0, 3000));
  const cases: [string[], RegExp][] = [
    [['swap', 'face.jpg', 'absent.jpg', '-o', 'x.png'], /^guise: absent\.jpg cannot be read\.\n$/],
    [
      `swap face.jpg body.jpg -o x.png${' --source face.jpg'.repeat(5)}`.split(' '),
      /^guise: --source may be given 4 times at most\.\n$/,
    ],
    [
      ['swap', 'face.jpg', 'body.jpg', '-o', 'x.png', '--source', 'absent.jpg'],
      /^guise: absent\.jpg cannot be read\.\n$/,
    ],
    [['swap', 'face.jpg', 'body.jpg', '-o', 'x.tiff'], /^guise: x\.tiff must end in \.png.+\n$/],
    [
      ['swap', 'face.jpg', 'body.jpg', '-o', 'x.mp4'],
      /^guise: body\.jpg is neither a video in MP4, MOV, WebM, Matroska, AVI or MPEG-TS nor a GIF\.\n$/,
    ],
    [['swap', 'not-an-image.jpg', 'body.jpg', '-o', 'x.png'], /^guise: The source image .+\n$/],
    [['verify', 'not-an-image.jpg'], /^guise: not-an-image\.jpg is not of type JPEG, .+ or WebM\.\n$/],
    [['detect', 'not-an-image.jpg'], /^guise: The image .+\n$/],
    [
      ['account', 'show', '--email', 'nobody@example.com'],
      /^guise: There is no account for nobody@example\.com\.\n$/,
    ],
    [['account', 'create', '--email', 'nonsense'], /^guise: email must be .+\n$/],
    [
      ['account', 'create', '--email', 'a@example.com', '--plan', 'gold'],
      /^guise: The plan must be one of .+\n$/,
    ],
  ];
  for (const [args, expected] of cases) {
    const { code, stdout, stderr } = await guise(...args);
    assert.deepEqual([code, stdout], [1, ''], args.join(' '));
    assert.match(stderr, expected);
  }
});

test('a damaged picture ends the command with a sentence, not with a crash', async () => {
  const { code, stderr } = await guise('swap', 'cut.jpg', 'body.jpg', '-o', 'x.png');
  assert.equal(code, 1);
  assert.match(stderr, /^guise: .+\.\n$/);
});

test('wrong usage is exit code 2', async () => {
  for (const args of [
    ['swap', 'face.jpg'],
    ['nonsense'],
    ['swap', 'a', 'b', '-o', 'c.png', '--restore', '2'],
  ]) {
    assert.equal((await guise(...args)).code, 2, args.join(' '));
  }
  assert.equal((await guise('--help')).code, 0);
});

test('numbers are taken in plain digits only', async () => {
  const credit = ['account', 'credit', '--email', 'ann@example.com', '--amount'];
  const create = ['account', 'create', '--email', 'number@example.com', '--credits'];
  const swap = ['swap', 'face.jpg', 'body.jpg', '-o', 'x.png'];
  const whole = ['1e3', '0x10', '1.0', '+5', '5 ', '', '1_000', '9007199254740993'];
  const cases = [
    ...[credit, create, [...swap, '--face']].flatMap((command) =>
      whole.map((text) => [command, text, 'a whole number'] as const),
    ),
    ...['--restore', '--face-restore'].flatMap((option) =>
      ['1e-1', '0x1', ' 1', '', '.', '1.5'].map(
        (text) => [[...swap, option], text, 'a number from 0 to 1'] as const,
      ),
    ),
  ];
  for (const [command, text, wanted] of cases) {
    const { code, stderr } = await guise(...command, text);
    assert.equal(code, 2, `${command.join(' ')} "${text}"`);
    assert.match(stderr, new RegExp(`It must be ${wanted} in plain digits`));
  }
});

test('a command about accounts makes no database, and names the folder where none is', async () => {
  const { code, stderr } = await guiseIn('elsewhere', 'account', 'create', '--email', 'ann@example.com');
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^guise: There is no guise installation in .*elsewhere\. Start the service there first/,
  );
  await assert.rejects(access(inDir('elsewhere/postgres')));
});

test('an error in the arguments leads to the help of its command', async () => {
  assert.match((await guise('swap', 'face.jpg')).stderr, /\n\(guise swap --help explains\)\n$/);
  assert.match((await guise('account', 'show')).stderr, /\n\(guise account show --help explains\)\n$/);
  assert.match((await guise('nonsense')).stderr, /\n\(guise --help explains\)\n$/);
});

test('doctor checks the machine, swaps the samples, and says what to do', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  after(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const env = { PORT: String(port), HOST: '127.0.0.1' };
  const { code, stdout } = await guiseWith(env, 'data', 'doctor', '--json');
  assert.equal(code, 1);
  const { checks } = JSON.parse(stdout) as { checks: { check: string; ok: boolean; advice?: string }[] };
  assert.deepEqual(
    checks.filter(({ ok }) => !ok).map(({ check, advice }) => [check, advice]),
    [[`port ${port}`, 'Set PORT to a free one.']],
  );
  assert.ok(checks.some(({ check }) => check === 'swap of the samples'));
});

test('accounts, credits and keys can be made and changed with no service running', async () => {
  const created = await json(
    'account',
    'create',
    '--email',
    'Ann@Example.com',
    '--plan',
    'pro',
    '--credits',
    '30',
  );
  assert.deepEqual(
    [created.email, created.plan, created.credits, /^gsk_[\w-]{43}$/.test(created.apiKey)],
    ['ann@example.com', 'pro', 30, true],
  );
  assert.deepEqual(Object.keys(created), ['accountId', 'email', 'plan', 'credits', 'apiKey']);

  await json('account', 'credit', '--email', 'ann@example.com', '--amount', '12');
  const key = await json('account', 'key', '--email', 'ann@example.com', '--name', 'second');
  await json('account', 'key', '--email', 'ann@example.com', '--revoke', key.keyId);

  const shown = await json('account', 'show', '--email', 'ann@example.com');
  assert.deepEqual(
    [shown.accountId, shown.email, shown.plan, shown.credits],
    [created.accountId, 'ann@example.com', 'pro', { available: 42, held: 0 }],
  );
  assert.match(shown.webhookSecret, /^whsec_/);
  assert.deepEqual(
    shown.keys.map((each: any) => [each.name, each.lastFour, each.revokedAt === null]),
    [
      ['first key', created.apiKey.slice(-4), true],
      ['second', key.apiKey.slice(-4), false],
    ],
  );
  assert.equal(JSON.stringify(shown).includes(created.apiKey), false);
});

test('an installation has one owner', async () => {
  const create = ['account', 'create', '--owner', '--email'];
  const owner = await json(...create, 'owner@example.com');
  assert.equal(owner.email, 'owner@example.com');
  const { code, stderr } = await guise(...create, 'second@example.com');
  assert.equal(code, 1);
  assert.match(stderr, /This installation has an owner: owner@example\.com\./);
});

test('an allowlist is set, shown, refused by the range that is none, and cleared', async () => {
  await json('account', 'create', '--email', 'eve@example.com', '--plan', 'enterprise');
  const allowlist = (...args: string[]): Promise<any> =>
    json('account', 'allowlist', '--email', 'eve@example.com', ...args);
  assert.deepEqual((await allowlist()).allowlist, []);
  const set = await allowlist('--set', '198.51.100.0/24, 2001:db8::/32');
  assert.deepEqual(set.allowlist, ['198.51.100.0/24', '2001:db8::/32']);
  const bad = await guise(
    'account',
    'allowlist',
    '--email',
    'eve@example.com',
    '--set',
    '8.8.8.8,10.0.0.1/8',
  );
  assert.equal(bad.code, 1);
  assert.match(bad.stderr, /^guise: "10\.0\.0\.1\/8" is not an address range .+\n$/);
  assert.deepEqual((await allowlist()).allowlist, ['198.51.100.0/24', '2001:db8::/32']);
  assert.deepEqual((await allowlist('--clear')).allowlist, []);
});

test('an account named with credits has them even while its address is unverified', async () => {
  await json('account', 'create', '--email', 'bob@example.com', '--credits', '5', '--unverified');
  const shown = await json('account', 'show', '--email', 'bob@example.com');
  assert.deepEqual([shown.emailVerified, shown.credits.available], [false, 5]);
});

test('links and invitations can be made with no service running', async () => {
  const { link, email } = await json('account', 'create', '--email', 'linked@example.com').then(() =>
    json('account', 'link', '--email', 'linked@example.com'),
  );
  assert.equal(email, 'linked@example.com');
  assert.match(link, /^http:\/\/127\.0\.0\.1:\d+\/sign-in\/link#token=[\w-]{43}$/);
  const nobody = await guise('account', 'link', '--email', 'nobody@example.com');
  assert.deepEqual([nobody.code, nobody.stderr], [1, 'guise: There is no account for nobody@example.com.\n']);
  const invited = await json('account', 'invite', '--email', 'Guest@example.com', '--plan', 'pro');
  assert.deepEqual([invited.email, invited.plan], ['guest@example.com', 'pro']);
  assert.match(invited.link, /\/sign-up#invitation=[\w-]{43}$/);
  assert.equal((await guise('account', 'invite', '--plan', 'gold')).code, 1);
});
