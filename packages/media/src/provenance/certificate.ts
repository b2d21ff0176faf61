import { randomBytes, webcrypto } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../write-durably.ts';
import { signingFilesIn, writeSigningFolder } from './signing-folder.ts';
import { SigningIdentityError, type SigningFiles, type SigningPems } from './signing-identity.ts';

/** Organisation in the certificates that are made here. */
const CERTIFICATE_ORGANISATION = 'guise';

/** Lifetime of the certificates, long enough that results stay verifiable. */
const CERTIFICATE_LIFETIME_YEARS = 20;

/** Time by which certificates are backdated: one day. */
const DAY_MS = 86_400_000;

/** Key type and hash of both certificates. */
const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** Object identifier of the purpose `emailProtection`, which C2PA accepts. */
const EMAIL_PROTECTION_OID = '1.3.6.1.5.5.7.3.4';

/**
 * Returns the identity in `folder`. If the folder is missing or empty, as at the first start, makes
 * an identity. C2PA demands two certificates, because a signer may not sign its own certificate: an
 * authority, whose key is discarded, and the signer.
 *
 * Both files appear together or not at all. If two processes start at once, one of them wins.
 * @throws SigningIdentityError if the folder cannot be read; the file system's own error if it
 * cannot be made
 */
export async function ensureSigningFiles(folder: string): Promise<SigningFiles> {
  const present = await filesIn(folder);
  if (present.length === 0) await createIdentity(folder);
  return signingFilesIn(folder);
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw new SigningIdentityError('certificate', `${folder} cannot be read.`, { cause: error });
  }
}

async function createIdentity(folder: string): Promise<void> {
  const part = await writeSigningFolder(folder, await issueCertificates());
  try {
    await rename(part, folder);
    await syncFolder(path.dirname(path.resolve(folder)));
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    // Another process was first, and its folder is used.
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) throw error;
  }
}

async function issueCertificates(): Promise<SigningPems> {
  const x509 = await import('@peculiar/x509');
  const { subtle } = webcrypto;
  const authorityKeys = await subtle.generateKey(KEY_ALGORITHM, false, ['sign', 'verify']);
  const signerKeys = await subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify']);
  // The certificates are backdated for readers whose clock is slow.
  const notBefore = new Date(Date.now() - DAY_MS);
  const notAfter = new Date(notBefore);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + CERTIFICATE_LIFETIME_YEARS);
  // Names differ between installations, so that their results can be told apart.
  const installation = randomBytes(4).toString('hex');
  const common = { notBefore, notAfter, signingAlgorithm: KEY_ALGORITHM };
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    ...common,
    name: `CN=guise authority ${installation}, O=${CERTIFICATE_ORGANISATION}`,
    keys: authorityKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const signer = await x509.X509CertificateGenerator.create({
    ...common,
    subject: `CN=guise operator ${installation}, O=${CERTIFICATE_ORGANISATION}`,
    issuer: authority.subject,
    publicKey: signerKeys.publicKey,
    signingKey: authorityKeys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([EMAIL_PROTECTION_OID]),
      await x509.AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(signerKeys.publicKey),
    ],
  });
  const keyDer = await subtle.exportKey('pkcs8', signerKeys.privateKey);
  return {
    chainPem: `${signer.toString('pem')}\n${authority.toString('pem')}\n`,
    keyPem: `${x509.PemConverter.encode(keyDer, 'PRIVATE KEY')}\n`,
  };
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
