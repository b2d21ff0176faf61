import { constants, sign, type KeyObject } from 'node:crypto';
import type { SigningAlgorithm, SigningIdentity } from './signing-identity.ts';

/** COSE algorithm number (RFC 9053, RFC 8230) and the longest signature, in bytes. */
const ALGORITHMS: Record<SigningAlgorithm, { id: number; hash: string | null; signatureBytes: number }> = {
  es256: { id: -7, hash: 'sha256', signatureBytes: 64 },
  es384: { id: -35, hash: 'sha384', signatureBytes: 96 },
  ps256: { id: -37, hash: 'sha256', signatureBytes: 512 },
  ed25519: { id: -8, hash: null, signatureBytes: 64 },
};
const X5CHAIN = 33;
/** From here on the length of `pad` takes two bytes, so that every size can be reached. */
const LEAST_PAD_BYTES = 256;
const ROOM_BYTES = LEAST_PAD_BYTES + 128;

/** Bytes of every signature by this identity, padding included: the file's layout is fixed before it is signed. */
export function coseSizeBytes(identity: SigningIdentity): number {
  const chainBytes = identity.chain.reduce((sum, der) => sum + der.length + 5, 0);
  return ROOM_BYTES + chainBytes + ALGORITHMS[identity.algorithm].signatureBytes;
}

/**
 * A tagged COSE_Sign1 (RFC 9052, 4.2) over a detached claim, as C2PA asks: certificates in the protected
 * header, `pad` in the other, `coseSizeBytes(identity)` bytes in all.
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

// CBOR (RFC 8949), as much as a signature needs.
const TAG_SIGN1 = Buffer.from([0xd2]);
const NULL = Buffer.from([0xf6]);

function head(majorType: number, value: number): Buffer {
  const type = majorType << 5;
  if (value < 24) return Buffer.from([type | value]);
  if (value < 0x100) return Buffer.from([type | 24, value]);
  if (value < 0x1_0000) return Buffer.from([type | 25, value >> 8, value & 0xff]);
  const long = Buffer.from([type | 26, 0, 0, 0, 0]);
  long.writeUInt32BE(value, 1);
  return long;
}

function integer(value: number): Buffer {
  return value < 0 ? head(1, -1 - value) : head(0, value);
}

function byteString(bytes: Uint8Array): Buffer {
  return Buffer.concat([head(2, bytes.length), bytes]);
}

function textString(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([head(3, bytes.length), bytes]);
}

function array(items: readonly Uint8Array[]): Buffer {
  return Buffer.concat([head(4, items.length), ...items]);
}

function map(entries: readonly (readonly [Uint8Array, Uint8Array])[]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flat()]);
}
