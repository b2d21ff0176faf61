import { constants, sign, type KeyObject } from 'node:crypto';
import { array, byteString, integer, map, textString } from './cbor.ts';
import type { SigningAlgorithm, SigningIdentity } from './signing-identity.ts';

/** COSE algorithm number (RFC 9053, RFC 8230) and the longest signature, in bytes. */
const ALGORITHMS: Record<SigningAlgorithm, { id: number; hash: string | null; signatureBytes: number }> = {
  es256: { id: -7, hash: 'sha256', signatureBytes: 64 },
  es384: { id: -35, hash: 'sha384', signatureBytes: 96 },
  ps256: { id: -37, hash: 'sha256', signatureBytes: 512 },
  ed25519: { id: -8, hash: null, signatureBytes: 64 },
};
const X5CHAIN = 33;
/** CBOR tag 18, COSE_Sign1 (RFC 9052, 4.2). */
const TAG_SIGN1 = Buffer.from([0xd2]);
/** CBOR's null: the claim is not inside the signature. */
const NULL = Buffer.from([0xf6]);
/** From here on the length of `pad` takes two bytes, so that every size can be reached. */
const LEAST_PAD_BYTES = 256;
const ROOM_BYTES = LEAST_PAD_BYTES + 128;

/**
 * Bytes of every signature by this identity, padding included: the file's layout is fixed before it
 * is signed.
 */
export function coseSizeBytes(identity: SigningIdentity): number {
  const chainBytes = identity.chain.reduce((sum, der) => sum + der.length + 5, 0);
  return ROOM_BYTES + chainBytes + ALGORITHMS[identity.algorithm].signatureBytes;
}

/**
 * A tagged COSE_Sign1 (RFC 9052, 4.2) over a detached claim, as C2PA asks: certificates in the
 * protected header, `pad` in the other, `coseSizeBytes(identity)` bytes in all.
 */
export function coseSign1(identity: SigningIdentity, claim: Uint8Array): Uint8Array<ArrayBuffer> {
  const { id, hash } = ALGORITHMS[identity.algorithm];
  const certificates = identity.chain.map(byteString);
  const x5chain = certificates.length === 1 ? certificates[0]! : array(certificates);
  const protectedHeader = byteString(
    map([
      [integer(1), integer(id)],
      [integer(X5CHAIN), x5chain],
    ]),
  );
  const signed = array([
    textString('Signature1'),
    protectedHeader,
    byteString(new Uint8Array()),
    byteString(claim),
  ]);
  const signature = byteString(sign(hash, signed, keyInput(identity.privateKey, identity.algorithm)));

  const envelope = (padBytes: number): Buffer => {
    const pad = map([[textString('pad'), byteString(new Uint8Array(padBytes))]]);
    return Buffer.concat([TAG_SIGN1, array([protectedHeader, pad, NULL, signature])]);
  };
  const padBytes = coseSizeBytes(identity) - envelope(LEAST_PAD_BYTES).length + LEAST_PAD_BYTES;
  if (padBytes < LEAST_PAD_BYTES) throw new Error('The signature does not fit the place kept for it.');
  return new Uint8Array(envelope(padBytes));
}

function keyInput(key: KeyObject, algorithm: SigningAlgorithm) {
  if (algorithm !== 'ps256') return { key, dsaEncoding: 'ieee-p1363' } as const;
  return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } as const;
}
