import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { canChangeUser, ENGINE_USER } from '@guise/media/isolation/unprivileged-user.ts';
import { ensureSigningFiles } from '@guise/media/provenance/certificate.ts';
import { createManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import { loadSigningIdentity, type SigningFiles } from '@guise/media/provenance/signing-identity.ts';
import { verifyFile } from '@guise/media/provenance/verify.ts';
import { EngineProcess } from './engine-process.ts';
import { SWAP_CLAIM } from './swap-claim.ts';

const isRoot = canChangeUser();
const needsProc = process.platform !== 'linux' && 'only Linux shows processes as files';
const needsRoot = !isRoot && 'only root can become another user';

let folder: string;
let signing: SigningFiles;
let trustAnchorsPem: string;
let engine: EngineProcess;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'guise-rights-'));
  // Anybody may pass: only the folders inside protect what they hold.
  await chmod(folder, 0o755);
  await mkdir(path.join(folder, 'engines'));
  signing = await ensureSigningFiles(path.join(folder, 'signing'));
  const identity = await loadSigningIdentity(signing);
  trustAnchorsPem = identity.trustAnchorPem;
  process.env['DATABASE_URL'] = 'postgres://guise:database-password@127.0.0.1/guise';
  process.env['GUISE_SIGNING_KEY'] = signing.keyPath;
  const signer = createManifestSigner(identity, SWAP_CLAIM);
  engine = new EngineProcess({
    modelCacheDir: path.join(folder, 'models'),
    currentSigner: () => signer,
    newFolder: () => path.join(folder, 'engines', 'engine'),
    warmUp: false,
  });
  await engine.whenReady();
  delete process.env['DATABASE_URL'];
  delete process.env['GUISE_SIGNING_KEY'];
});
after(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

const ofProcess = (name: string): Promise<string> => readFile(`/proc/${engine.pid}/${name}`, 'utf8');

test(
  'an engine started by root is another user without a capability',
  { skip: needsProc || needsRoot },
  async () => {
    const status = await ofProcess('status');
    const field = (name: string): string => new RegExp(`^${name}:\\s*(.*?)\\s*$`, 'm').exec(status)![1]!;
    const { uid, gid } = ENGINE_USER;
    assert.equal(field('Uid'), Array(4).fill(uid).join('\t'));
    assert.equal(field('Gid'), Array(4).fill(gid).join('\t'));
    assert.equal(field('Groups'), String(gid));
    for (const name of ['CapPrm', 'CapEff', 'CapAmb']) assert.equal(field(name), '0'.repeat(16), name);
  },
);

test('when memory runs out an engine goes before what holds tasks', { skip: needsProc }, async () => {
  assert.equal(await ofProcess('oom_score_adj'), '500\n');
});

test(
  'neither environment, arguments nor open files of an engine name the key or a secret',
  { skip: needsProc },
  async () => {
    const descriptors = await readdir(`/proc/${engine.pid}/fd`);
    const files = await Promise.all(
      // One may be closed meanwhile.
      descriptors.map((each) => readlink(`/proc/${engine.pid}/fd/${each}`).catch(() => '')),
    );
    const [environment, command, memory] = await Promise.all(['environ', 'cmdline', 'maps'].map(ofProcess));
    const known = [environment, command, memory, ...files].join('\n');
    assert.ok(known.includes(process.execPath), 'it was read');
    for (const secret of [path.dirname(signing.keyPath), 'database-password', 'GUISE_', 'HOME='])
      assert.ok(!known.includes(secret), secret);
  },
);

test(
  "an engine's user can open neither the key nor its folder nor another engine",
  { skip: needsProc || needsRoot },
  () => {
    const attempts = [
      `cat '${signing.keyPath}'`,
      `ls '${path.dirname(signing.keyPath)}'`,
      `cat /proc/${engine.pid}/environ`,
      `ls '${path.join(folder, 'engines', 'engine')}'`,
    ];
    for (const attempt of attempts) {
      const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', attempt], {
        ...ENGINE_USER,
        encoding: 'utf8',
      });
      assert.notEqual(status, 0);
      assert.equal(stdout, '');
      assert.match(stderr, /permission denied/i);
    }
  },
);

test('an engine swaps photos that only we may read, and its output is ours and signed', async () => {
  const closed = path.join(folder, 'closed');
  await mkdir(closed, { mode: 0o700 });
  const { face, body } = await readSampleFaces();
  const [sourcePath, targetPath, outputPath] = ['face', 'body', 'out'].map((name) =>
    path.join(closed, name),
  ) as [string, string, string];
  await writeFile(sourcePath, face, { mode: 0o600 });
  await writeFile(targetPath, body, { mode: 0o600 });
  const { contentType } = await engine.run({
    kind: 'swap-image',
    sourcePath,
    targetPath,
    outputPath,
    options: { restore: { faceRestoreVisibility: 1, restoreVisibility: 1 }, output: { format: 'jpeg' } },
    maxPixels: 10_000_000,
  });
  const { c2pa } = await verifyFile(outputPath, contentType, { trustAnchorsPem });
  assert.equal(c2pa?.trusted, true);
  assert.deepEqual((await readdir(closed)).sort(), ['body', 'face', 'out']);
  assert.deepEqual(await readdir(path.join(folder, 'engines', 'engine')), []);
  const [source, output] = await Promise.all([stat(sourcePath), stat(outputPath)]);
  const us = [process.getuid!(), process.getgid!()];
  assert.deepEqual([source.uid, source.gid, source.mode & 0o777], [...us, 0o600], 'a copy was lent');
  assert.deepEqual([output.uid, output.gid], us);
});
