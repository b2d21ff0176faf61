import assert from 'node:assert/strict';
import { webcrypto, X509Certificate } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import * as x509 from '@peculiar/x509';
import { ensureSigningFiles } from './certificate.ts';
import { signingFilesIn } from './signing-folder.ts';
import {
  loadSigningIdentity,
  readSignerCertificate,
  SigningIdentityError,
  type SigningIdentity,
} from './signing-identity.ts';
import { checkSigningIdentity } from './trial-signature.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'guise-certificate-'));
});
after(() => rm(folder, { recursive: true, force: true }));

async function identityIn(files: string): Promise<SigningIdentity> {
  return await loadSigningIdentity(await ensureSigningFiles(files));
}

async function refused(files: string, fault: 'certificate' | 'key', reason: RegExp): Promise<void> {
  const isRefusal = (error: unknown) =>
    error instanceof SigningIdentityError && error.fault === fault && reason.test(error.message);
  await assert.rejects(identityIn(files), isRefusal);
}

const fresh = async () => path.join(await mkdtemp(path.join(folder, 'case-')), 'identity');

describe('the identity made at the first start', () => {
  test('is an authority and a signer that C2PA accepts, for years', async () => {
    const place = await fresh();
    const identity = await identityIn(place);
    await checkSigningIdentity(identity);
    assert.match(identity.subject, /^guise operator [0-9a-f]{8}$/);
    assert.ok(identity.expiresAt.getTime() > Date.now() + 10 * 365 * 86_400_000);
    assert.equal(identity.chain.length, 1, 'the root is not put into files');
    const signer = new X509Certificate(identity.chain[0]!);
    const authority = new X509Certificate(identity.trustAnchorPem);
    assert.ok(signer.verify(authority.publicKey) && authority.ca && !signer.ca);
    const { trustAnchorPem } = await readSignerCertificate(signingFilesIn(place).certificatePath);
    assert.equal(trustAnchorPem, identity.trustAnchorPem);
  });

  test('its key is for the owner only, and nothing else lies around', async () => {
    const place = await fresh();
    await identityIn(place);
    const { certificatePath, keyPath } = signingFilesIn(place);
    assert.deepEqual(
      (await readdir(place)).sort(),
      [certificatePath, keyPath].map((each) => path.basename(each)).sort(),
    );
    assert.equal((await stat(keyPath)).mode & 0o777, 0o600);
    assert.equal((await stat(place)).mode & 0o777, 0o700);
    assert.deepEqual(await readdir(path.dirname(place)), ['identity']);
  });

  test('is the same at the next start, and for two processes that start at once', async () => {
    const place = await fresh();
    const starts = await Promise.all(Array.from({ length: 4 }, () => identityIn(place)));
    const again = await identityIn(place);
    for (const each of starts) assert.equal(each.subject, again.subject);
    assert.deepEqual(await readdir(path.dirname(place)), ['identity']);
  });
});

describe("an operator's own certificate", () => {
  const KEYS = {
    es256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
    es384: { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
    ed25519: { name: 'Ed25519' },
    ps256: {
      name: 'RSASSA-PKCS1-v1_5',
      hash: 'SHA-256',
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
    },
  };
  for (const [algorithm, key] of Object.entries(KEYS)) {
    test(`with a key for ${algorithm} signs`, async () => {
      const identity = await identityIn(await place({ key }));
      assert.equal(identity.algorithm, algorithm);
      await checkSigningIdentity(identity);
    });
  }

  test('of two levels below its root is put into files without the root', async () => {
    const identity = await identityIn(await place({ hasIntermediate: true }));
    assert.equal(identity.chain.length, 2);
    await checkSigningIdentity(identity);
  });

  test('is refused with what is wrong and where', async () => {
    const serverOnly = await place({ purposes: ['1.3.6.1.5.5.7.3.1'] });
    await refused(serverOnly, 'certificate', /needs one of these extended key usages: emailProtection/);
    const expired = await place({ notAfter: new Date(Date.now() - 1000) });
    await refused(expired, 'certificate', /is valid from .* not now/);
    await refused(await place({ isAuthority: true }), 'certificate', /is an authority's/);

    const good = await place({});
    const files = signingFilesIn(good);
    const other = signingFilesIn(await place({}));
    const chain = await readFile(files.certificatePath, 'utf8');
    const [signer, authority] = chain.split(/(?=-----BEGIN)/);
    await writeFile(files.certificatePath, authority!);
    await refused(good, 'certificate', /an authority's/);
    await writeFile(files.certificatePath, signer! + (await readFile(other.certificatePath, 'utf8')));
    await refused(good, 'certificate', /no chain: certificate 1 was not issued by certificate 2/);
    await writeFile(files.certificatePath, chain.replace('MII', 'AAA'));
    await refused(good, 'certificate', /certificate 1, is damaged/);
    await writeFile(files.certificatePath, 'nothing');
    await refused(good, 'certificate', /holds no certificate in PEM/);
    await writeFile(files.certificatePath, chain);
    await writeFile(files.keyPath, await readFile(other.keyPath, 'utf8'));
    await refused(good, 'key', /does not belong to the first certificate/);
    await writeFile(files.keyPath, 'nothing');
    await refused(good, 'key', /holds no private key/);
    await rm(files.keyPath);
    await refused(good, 'key', /private-key\.pem cannot be read/);
  });

  test('without its authority is refused with what to do', async () => {
    const folder = await place({});
    const { certificatePath } = signingFilesIn(folder);
    const [signer] = (await readFile(certificatePath, 'utf8')).split(/(?=-----BEGIN)/);
    await writeFile(certificatePath, signer!);
    await assert.rejects(checkSigningIdentity(await identityIn(folder)), {
      message: /signingCredential\.untrusted\. Put the authority's certificate after the signer's/,
    });
  });

  test('that C2PA would refuse is found by the trial signature', async () => {
    const files = await place({ usage: x509.KeyUsageFlags.keyEncipherment });
    const identity = await identityIn(files);
    await assert.rejects(checkSigningIdentity(identity), {
      name: 'SigningIdentityError',
      fault: 'certificate',
    });
  });
});

interface Issued {
  key?: object;
  purposes?: string[];
  usage?: number;
  notAfter?: Date;
  isAuthority?: boolean;
  hasIntermediate?: boolean;
}

/** A folder with a chain and a key as an operator would put there. */
async function place({
  key,
  purposes,
  usage,
  notAfter,
  isAuthority,
  hasIntermediate,
}: Issued): Promise<string> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const generate = (which: object) =>
    webcrypto.subtle.generateKey(which as typeof algorithm, true, [
      'sign',
      'verify',
    ]) as Promise<webcrypto.CryptoKeyPair>;
  const root = await generate(algorithm);
  const intermediate = await generate(algorithm);
  const signer = await generate(key ?? algorithm);
  const issuer = hasIntermediate ? intermediate : root;
  const dates = {
    notBefore: new Date(Date.now() - 86_400_000),
    notAfter: notAfter ?? new Date(Date.now() + 86_400_000),
  };
  const issue = async (
    name: string,
    keys: webcrypto.CryptoKeyPair,
    by: string,
    byKeys: webcrypto.CryptoKeyPair,
    isCa: boolean,
  ) =>
    await x509.X509CertificateGenerator.create({
      ...dates,
      subject: `CN=${name}`,
      issuer: `CN=${by}`,
      publicKey: keys.publicKey,
      signingKey: byKeys.privateKey,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(isCa, undefined, true),
        new x509.KeyUsagesExtension(
          isCa ? x509.KeyUsageFlags.keyCertSign : (usage ?? x509.KeyUsageFlags.digitalSignature),
          true,
        ),
        ...(isCa ? [] : [new x509.ExtendedKeyUsageExtension(purposes ?? ['1.3.6.1.5.5.7.3.36'])]),
        await x509.AuthorityKeyIdentifierExtension.create(byKeys.publicKey),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
  const chain = [
    await issue('Signer', signer, hasIntermediate ? 'Middle' : 'Root', issuer, isAuthority ?? false),
    ...(hasIntermediate ? [await issue('Middle', intermediate, 'Root', root, true)] : []),
    await issue('Root', root, 'Root', root, true),
  ];
  const folder = await fresh();
  await mkdir(folder);
  const { certificatePath, keyPath } = signingFilesIn(folder);
  await writeFile(certificatePath, chain.map((each) => `${each.toString('pem')}\n`).join(''));
  const der = await webcrypto.subtle.exportKey('pkcs8', signer.privateKey);
  await writeFile(keyPath, x509.PemConverter.encode(der, 'PRIVATE KEY'));
  return folder;
}
