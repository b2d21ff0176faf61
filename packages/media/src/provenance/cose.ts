import { constants, createHash, sign, type KeyObject } from 'node:crypto';
import { array, byteString, integer, map, textString } from './cbor.ts';
import type { SigningAlgorithm, SigningIdentity } from './signing-identity.ts';
import { MAX_TOKEN_BYTES, type TimeStamper } from './time-stamp.ts';

/** COSE number (RFC 9053, RFC 8230), hash and longest signature of each algorithm. */
const COSE_ALGORITHMS: Record<SigningAlgorithm, { id: number; hash: string | null; signatureBytes: number }> =
  {
    es256: { id: -7, hash: 'sha256', signatureBytes: 64 },
    es384: { id: -35, hash: 'sha384', signatureBytes: 96 },
    ps256: { id: -37, hash: 'sha256', signatureBytes: 512 },
    ed25519: { id: -8, hash: null, signatureBytes: 64 },
  };

/** Header parameter that holds the certificates (RFC 9360, 2). */
const X5CHAIN_HEADER = 33;

/** CBOR tag 18, which marks a COSE_Sign1 (RFC 9052, 4.2). */
const COSE_SIGN1_TAG = Buffer.from([0xd2]);

/** CBOR's null in place of the claim, which is outside the signature. */
const CBOR_NULL = Buffer.from([0xf6]);

/**
 * Smallest size of `pad`. From this size on its length field takes two bytes, so that every total
 * can be reached.
 */
const MIN_PAD_BYTES = 256;

/** Number of bytes kept for a time stamp: its token, and its place in the header. */
const TIME_STAMP_BYTES = MAX_TOKEN_BYTES + 64;

/** Number of bytes for everything except certificates and signature. */
const ENVELOPE_BYTES = MIN_PAD_BYTES + 128;

/**
 * Returns the size of every signature by this identity, including padding. The size must be known
 * before signing, because the signed file's layout depends on it.
 * @param stamp as of `coseSign1`
 */
export function coseSizeBytes(identity: SigningIdentity, stamp?: TimeStamper): number {
  const chainBytes = identity.chain.reduce((sum, der) => sum + der.length + 5, 0);
  const stampBytes = stamp === undefined ? 0 : TIME_STAMP_BYTES;
  return ENVELOPE_BYTES + chainBytes + stampBytes + COSE_ALGORITHMS[identity.algorithm].signatureBytes;
}

/**
 * Makes a tagged COSE_Sign1 (RFC 9052, 4.2) over a detached claim, as C2PA demands. The
 * certificates are in the protected header, the time stamp and `pad` in the other. The result has
 * exactly `coseSizeBytes(identity, stamp)` bytes.
 * @param stamp asked for a time stamp of the signature. Default: there is none
 */
export async function coseSign1(
  identity: SigningIdentity,
  claim: Uint8Array,
  stamp?: TimeStamper,
): Promise<Uint8Array<ArrayBuffer>> {
  const { id, hash } = COSE_ALGORITHMS[identity.algorithm];
  const certificates = identity.chain.map(byteString);
  const x5chain = certificates.length === 1 ? certificates[0]! : array(certificates);
  const protectedHeader = byteString(
    map([
      [integer(1), integer(id)],
      [integer(X5CHAIN_HEADER), x5chain],
    ]),
  );
  const signed = sigStructure('Signature1', protectedHeader, claim);
  const signature = byteString(sign(hash, signed, keyInput(identity.privateKey, identity.algorithm)));

  const stamped = sigStructure('CounterSignature', protectedHeader, signature);
  const token = (await stamp?.(createHash('sha256').update(stamped).digest())) ?? null;
  const timeStamp = token === null ? [] : [timeStampEntry(token)];

  const envelope = (padBytes: number): Buffer => {
    const pad = [textString('pad'), byteString(new Uint8Array(padBytes))] as const;
    const header = map([...timeStamp, pad]);
    return Buffer.concat([COSE_SIGN1_TAG, array([protectedHeader, header, CBOR_NULL, signature])]);
  };
  const padBytes = coseSizeBytes(identity, stamp) - envelope(MIN_PAD_BYTES).length + MIN_PAD_BYTES;
  if (padBytes < MIN_PAD_BYTES) throw new Error('The signature does not fit the place kept for it.');
  return new Uint8Array(envelope(padBytes));
}

/**
 * Makes the bytes that a signature or a time stamp covers (RFC 9052, 4.4; C2PA 2.x, time-stamps).
 */
function sigStructure(context: string, protectedHeader: Uint8Array, payload: Uint8Array): Buffer {
  return array([textString(context), protectedHeader, byteString(new Uint8Array()), byteString(payload)]);
}

/** Makes the header parameter with a time stamp of the signature (C2PA 2.x, time-stamps). */
function timeStampEntry(token: Uint8Array): readonly [Buffer, Buffer] {
  const entry = map([[textString('val'), byteString(token)]]);
  return [textString('sigTst2'), map([[textString('tstTokens'), array([entry])]])];
}

function keyInput(key: KeyObject, algorithm: SigningAlgorithm) {
  if (algorithm !== 'ps256') return { key, dsaEncoding: 'ieee-p1363' } as const;
  return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } as const;
}
