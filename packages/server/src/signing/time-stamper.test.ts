import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { ensureSigningFiles } from '@guise/media/provenance/certificate.ts';
import { createManifestSigner } from '@guise/media/provenance/manifest-signer.ts';
import { signStill } from '@guise/media/provenance/sign-still.ts';
import { loadSigningIdentity, type SigningIdentity } from '@guise/media/provenance/signing-identity.ts';
import { PIXEL_PNG } from '@guise/media/provenance/stand-in.ts';
import { verifyFile } from '@guise/media/provenance/verify.ts';
import { timeStamperOf } from './time-stamper.ts';
import { startTimeStampAuthority, type TimeStampAuthority } from './testing/time-stamp-authority.ts';

let folder: string;
let identity: SigningIdentity;
let authority: TimeStampAuthority;
const failures: string[] = [];
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'guise-time-stamp-'));
  identity = await loadSigningIdentity(await ensureSigningFiles(path.join(folder, 'signing')));
  authority = await startTimeStampAuthority(folder);
});
beforeEach(() => {
  failures.length = 0;
  authority.requests.length = 0;
  authority.answer = null;
});
after(async () => {
  await authority.close();
  await rm(folder, { recursive: true });
});

/** Signs a pixel with time stamps of `url`, and verifies the file. */
async function signed(url: string | null, timeoutMs?: number) {
  const claim = { generator: { name: 'guise', version: '1' }, digitalSourceType: 'http://example.com/made' };
  const stamp = timeStamperOf(url, (reason) => failures.push(reason), timeoutMs);
  const file = path.join(folder, 'signed.png');
  const signer = createManifestSigner(identity, claim, stamp);
  await writeFile(file, await signStill(PIXEL_PNG, 'image/png', signer));
  const { c2pa } = await verifyFile(file, 'image/png', { trustAnchorsPem: identity.trustAnchorPem });
  return c2pa!;
}

test('a signature has the time of the service, and the file is valid', async () => {
  const from = Math.floor(Date.now() / 1000) * 1000;
  const { signedAt, valid, trusted, validationErrors } = await signed(authority.url);
  assert.deepEqual([failures, validationErrors], [[], []]);
  assert.deepEqual([valid, trusted], [true, true]);
  const at = Date.parse(signedAt!);
  assert.ok(at >= from && at <= Date.now(), String(signedAt));
  assert.equal(authority.requests.length, 1);
});

test('without a service nothing is asked, and the signature has no time', async () => {
  const { signedAt, trusted } = await signed(null);
  assert.deepEqual([signedAt, trusted], [null, true]);
  assert.equal(authority.requests.length, 0);
});

/** Never answers. */
const HANG: TimeStampAuthority['answer'] = () => 'hang';

/** Answers of services that do not work, and what the warning says of them. */
const FAULTS: Readonly<Record<string, [answer: TimeStampAuthority['answer'], reason: RegExp]>> = {
  'an error': [() => ({ status: 503, body: Buffer.from('busy') }), /status 503$/],
  'a page of HTML': [() => ({ body: Buffer.from('<html></html>') }), /is no time stamp$/],
  'an answer that is cut off': [(stamp) => ({ body: stamp.subarray(0, -1) }), /is cut off$/],
  'an empty answer': [() => ({ body: Buffer.alloc(0) }), /is no time stamp$/],
  'a refusal': [() => ({ body: Buffer.from('30053003020102', 'hex') }), /refused, with status 2$/],
  'a grant without a token': [() => ({ body: Buffer.from('30053003020100', 'hex') }), /is no time stamp$/],
  'a redirection': [() => ({ status: 302, body: Buffer.from('') }), /status 302$|redirect/],
  'an endless answer': [() => ({ body: Buffer.alloc(1_000_000, 0x30) }), /more than 65536 bytes$/],
  'an answer with a large token': [
    () => ({ body: sequence(Buffer.from('3003020100', 'hex'), sequence(Buffer.alloc(20_000))) }),
    /more than 10240 bytes$/,
  ],
  'no answer in time': [HANG, /longer than 0.2 seconds$/],
};

function sequence(...pieces: readonly Buffer[]): Buffer {
  const body = Buffer.concat(pieces);
  return Buffer.concat([Buffer.of(0x30, 0x82, body.length >> 8, body.length & 0xff), body]);
}

for (const [fault, [answer, reason]] of Object.entries(FAULTS)) {
  test(`a service that gives ${fault} is asked twice, then the file is signed without a time`, async () => {
    authority.answer = answer;
    const { signedAt, trusted } = await signed(authority.url, answer === HANG ? 200 : undefined);
    assert.deepEqual([signedAt, trusted], [null, true]);
    assert.equal(failures.length, 1);
    assert.match(failures[0]!, reason);
    assert.equal(authority.requests.length, 2);
  });
}

test('the time stamp of another signature is not taken', async () => {
  let first: Buffer | undefined;
  authority.answer = (stamp) => ({ body: (first ??= stamp) });
  assert.notEqual((await signed(authority.url)).signedAt, null);
  assert.equal((await signed(authority.url)).signedAt, null);
  assert.match(failures.join(), /of something else$/);
});

test('a service that cannot be reached is named with the reason', async () => {
  const { signedAt, trusted } = await signed('http://127.0.0.1:1/');
  assert.deepEqual([signedAt, trusted], [null, true]);
  assert.match(failures.join(), /^GUISE_TIMESTAMP_URL gave no time stamp/);
});
