import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** COSE algorithms that C2PA 2.x allows and that this installation can sign with. */
export type SigningAlgorithm = 'es256' | 'es384' | 'ps256' | 'ed25519';

/** Certificate and key with which this installation signs. */
export interface SigningIdentity {
  readonly algorithm: SigningAlgorithm;
  /**
   * Certificates in DER, the end-entity first. As C2PA demands, the self-signed root is left out.
   */
  readonly chain: readonly Uint8Array[];
  readonly privateKey: KeyObject;
  /**
   * Last certificate of the supplied chain as PEM. A reader that trusts it trusts this identity.
   */
  readonly trustAnchorPem: string;
  /** Common name in the end-entity certificate, or its whole subject if it has none. */
  readonly subject: string;
  readonly expiresAt: Date;
}

/** PEM files of an identity. */
export interface SigningFiles {
  /** Chain of certificates, the end-entity first, each issued by the next. */
  readonly certificatePath: string;
  /** Private key, without a password. */
  readonly keyPath: string;
}

/** Texts of an identity, as in its files. */
export interface SigningPems {
  /** Chain of certificates, the end-entity first. */
  readonly chainPem: string;
  readonly keyPem: string;
}

/**
 * A certificate or key that cannot be used. The message names the file and what is wrong with it.
 */
export class SigningIdentityError extends Error {
  override readonly name = 'SigningIdentityError';
  readonly fault: 'certificate' | 'key';

  constructor(fault: 'certificate' | 'key', message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/**
 * Purposes of which a signer's certificate must have at least one (C2PA 2.x, certificate profile).
 */
export const ACCEPTED_PURPOSES: Readonly<Record<string, string>> = {
  '1.3.6.1.5.5.7.3.4': 'emailProtection',
  '1.3.6.1.5.5.7.3.36': 'documentSigning',
  '1.3.6.1.4.1.62558.2.1': 'c2pa-kp-claimSigning',
};

/** Matches each certificate in a PEM file. */
const CERTIFICATE_PEM_PATTERN = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * Reads an identity from its files.
 * @throws SigningIdentityError that names the file at fault
 */
export async function loadSigningIdentity(files: SigningFiles): Promise<SigningIdentity> {
  const chainPem = await readPem(files.certificatePath, 'certificate');
  return parseSigningIdentity({ chainPem, keyPem: await readPem(files.keyPath, 'key') }, files);
}

/**
 * Reads an identity from its texts.
 * @param where paths that the texts come from, for messages
 * @throws SigningIdentityError that names what is at fault
 */
export function parseSigningIdentity(
  { chainPem, keyPem }: SigningPems,
  { certificatePath, keyPath }: SigningFiles,
): SigningIdentity {
  const certificates = parseChain(chainPem, certificatePath);
  const privateKey = parseKey(keyPem, keyPath);
  const leaf = certificates[0]!;
  checkChain(certificates, certificatePath);
  checkLeaf(leaf, certificatePath);
  if (!leaf.checkPrivateKey(privateKey)) {
    throw new SigningIdentityError(
      'key',
      `The key in ${keyPath} does not belong to the first certificate of ${certificatePath}.`,
    );
  }
  const last = certificates.at(-1)!;
  const embedded =
    certificates.length > 1 && last.checkIssued(last) ? certificates.slice(0, -1) : certificates;
  return {
    algorithm: algorithmOf(privateKey, keyPath),
    chain: embedded.map((each) => each.raw),
    privateKey,
    trustAnchorPem: last.toString(),
    subject: /^CN=(.+)$/m.exec(leaf.subject)?.[1] ?? leaf.subject.replaceAll('\n', ', '),
    expiresAt: new Date(leaf.validTo),
  };
}

/** The public part of an identity, which identifies its signatures without the key. */
export interface SignerCertificate {
  /** Last certificate of the chain as PEM. A reader that trusts it trusts this signer. */
  readonly trustAnchorPem: string;
  /** Serial number of the end-entity certificate, in decimal. */
  readonly serialNumber: string;
}

/**
 * Reads the public part of an identity.
 * @throws SigningIdentityError that names the file
 */
export async function readSignerCertificate(certificatePath: string): Promise<SignerCertificate> {
  return parseSignerCertificate(await readPem(certificatePath, 'certificate'), certificatePath);
}

/**
 * Reads the public part of an identity from its chain.
 * @param where path that the chain comes from, for messages
 * @throws SigningIdentityError
 */
export function parseSignerCertificate(chainPem: string, where: string): SignerCertificate {
  const chain = parseChain(chainPem, where);
  return { trustAnchorPem: chain.at(-1)!.toString(), serialNumber: serialNumberOf(chain[0]!.raw) };
}

/**
 * Reads a certificate's serial number in decimal, as C2PA reports write it.
 * @param der X.509
 */
export function serialNumberOf(der: Uint8Array): string {
  return BigInt(`0x${new X509Certificate(der).serialNumber}`).toString();
}

function parseChain(text: string, where: string): X509Certificate[] {
  const pems = text.match(CERTIFICATE_PEM_PATTERN);
  if (!pems) throw new SigningIdentityError('certificate', `${where} holds no certificate in PEM.`);
  return pems.map((pem, index) => parseCertificate(pem, `${where}, certificate ${index + 1}`));
}

async function readPem(filePath: string, fault: 'certificate' | 'key'): Promise<string> {
  try {
    return await readFile(filePath, 'utf8');
  } catch (cause) {
    throw new SigningIdentityError(fault, `${filePath} cannot be read.`, { cause });
  }
}

function parseCertificate(pem: string, where: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new SigningIdentityError('certificate', `${where}, is damaged.`, { cause });
  }
}

function parseKey(pem: string, keyPath: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new SigningIdentityError('key', `${keyPath} holds no private key in PEM without a password.`, {
      cause,
    });
  }
}

function checkChain(certificates: readonly X509Certificate[], chainPath: string): void {
  for (const [index, certificate] of certificates.slice(0, -1).entries()) {
    const issuer = certificates[index + 1]!;
    if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey)) {
      throw new SigningIdentityError(
        'certificate',
        `${chainPath} is no chain: certificate ${index + 1} was not issued by certificate ${index + 2}.`,
      );
    }
  }
}

function checkLeaf(leaf: X509Certificate, chainPath: string): void {
  const now = Date.now();
  if (now < Date.parse(leaf.validFrom) || now > Date.parse(leaf.validTo)) {
    throw new SigningIdentityError(
      'certificate',
      `${chainPath} is valid from ${leaf.validFrom} to ${leaf.validTo}, not now.`,
    );
  }
  if (leaf.ca)
    throw new SigningIdentityError(
      'certificate',
      `The first certificate of ${chainPath} is an authority's, not a signer's.`,
    );
  if (leaf.checkIssued(leaf)) {
    throw new SigningIdentityError(
      'certificate',
      `The first certificate of ${chainPath} signed itself. C2PA asks for one issued by an authority, which may be your own.`,
    );
  }
  // Node returns the extended key usage as `keyUsage`. The trial signature at the start checks the
  // plain key usage.
  if (!(leaf.keyUsage ?? []).some((oid) => oid in ACCEPTED_PURPOSES)) {
    throw new SigningIdentityError(
      'certificate',
      `The first certificate of ${chainPath} needs one of these extended key usages: ${Object.values(ACCEPTED_PURPOSES).join(', ')}.`,
    );
  }
}

function algorithmOf(key: KeyObject, keyPath: string): SigningAlgorithm {
  const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'ed25519') return 'ed25519';
  if (namedCurve === 'prime256v1') return 'es256';
  if (namedCurve === 'secp384r1') return 'es384';
  if (key.asymmetricKeyType === 'rsa' && modulusLength >= 2048 && modulusLength <= 4096) return 'ps256';
  throw new SigningIdentityError(
    'key',
    `${keyPath} must be an EC key on P-256 or P-384, Ed25519, or RSA of 2048 to 4096 bits.`,
  );
}
