/** DER of the algorithm identifier of SHA-256, with its null parameters (RFC 5754, 2). */
const SHA256_ALGORITHM = Buffer.from('300d06096086480165030402010500', 'hex');
/** DER of the version of a time stamp request: 1 (RFC 3161, 2.4.1). */
const VERSION = Buffer.of(0x02, 1, 1);
/** DER of the wish for the authority's certificates: true. */
const CERTIFICATES_WANTED = Buffer.of(0x01, 1, 0xff);

/** Tag of a SEQUENCE in DER (X.690). */
const SEQUENCE_TAG = 0x30;
/** Tag of an INTEGER in DER (X.690). */
const INTEGER_TAG = 0x02;
/** Tag of an OCTET STRING in DER (X.690). */
const OCTET_STRING_TAG = 0x04;
/** Highest status of an answer that grants the time stamp: granted, or granted with changes. */
const HIGHEST_GRANTING_STATUS = 1;

/** Largest token that a signature has room for. Tokens of public services have about 6 kB. */
export const MAX_TOKEN_BYTES = 10 * 1024;

/**
 * Gets a time stamp token (RFC 3161) of at most `MAX_TOKEN_BYTES` for a SHA-256; null if there is
 * none. Never fails.
 */
export type TimeStamper = (sha256: Uint8Array) => Promise<Uint8Array | null>;

/** What a time stamp authority is asked to stamp. */
export interface StampSubject {
  /** SHA-256 of the data. */
  readonly sha256: Uint8Array;
  /** A random number of 8 bytes, which the answer repeats. */
  readonly nonce: Uint8Array;
}

/** Makes a request for a time stamp (RFC 3161, 2.4.1), in DER. */
export function timeStampRequest({ sha256, nonce }: StampSubject): Buffer {
  const imprint = element(SEQUENCE_TAG, SHA256_ALGORITHM, element(OCTET_STRING_TAG, sha256));
  return element(SEQUENCE_TAG, VERSION, imprint, integerOf(nonce), CERTIFICATES_WANTED);
}

/**
 * Takes the token out of an authority's answer (RFC 3161, 2.4.2). Only its place and its subject
 * are checked: readers of the file verify its signature.
 * @throws Error for a damaged answer, a refusal, or a token that is too large or of another subject
 */
export function timeStampToken(answer: Buffer, { sha256, nonce }: StampSubject): Buffer {
  const body = bodyAt(answer, 0, SEQUENCE_TAG);
  const info = bodyAt(answer, body.start, SEQUENCE_TAG);
  const status = bodyAt(answer, info.start, INTEGER_TAG);
  const code = status.end - status.start === 1 ? answer[status.start]! : Number.NaN;
  if (!(code <= HIGHEST_GRANTING_STATUS)) throw new Error(`it refused, with status ${code}`);
  bodyAt(answer, info.end, SEQUENCE_TAG);
  const token = answer.subarray(info.end, body.end);
  if (token.length > MAX_TOKEN_BYTES) throw new Error(`its token has more than ${MAX_TOKEN_BYTES} bytes`);
  if (!token.includes(element(OCTET_STRING_TAG, sha256)) || !token.includes(integerOf(nonce)))
    throw new Error('its token is of something else');
  return token;
}

/** Encodes bytes as a positive INTEGER, without superfluous zeros at its start. */
function integerOf(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const short = first < 0 ? Buffer.of(0) : bytes.subarray(first);
  return element(INTEGER_TAG, ...(short[0]! < 0x80 ? [short] : [Buffer.of(0), short]));
}

/** Encodes an element of less than 128 bytes. */
function element(tag: number, ...pieces: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(pieces);
  return Buffer.concat([Buffer.of(tag, body.length), body]);
}

/** Finds the body of the element at `at`, which must lie within the bytes. */
function bodyAt(bytes: Buffer, at: number, tag: number): { start: number; end: number } {
  const short = bytes[at + 1] ?? 0;
  const lengthBytes = short < 0x80 ? 0 : short & 0x7f;
  const start = at + 2 + lengthBytes;
  if (bytes[at] !== tag || short === 0x80 || lengthBytes > 4 || start > bytes.length)
    throw new Error('its answer is no time stamp');
  const end = start + (lengthBytes === 0 ? short : bytes.readUIntBE(at + 2, lengthBytes));
  if (end > bytes.length) throw new Error('its answer is cut off');
  return { start, end };
}
