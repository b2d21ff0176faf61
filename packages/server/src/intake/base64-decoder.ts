/** Error for a text that is not base64. The message is meant to follow the name of a field. */
export class Base64Error extends Error {
  override readonly name = 'Base64Error';
}

/** Meaning of white space, which the decoder skips. */
const SPACE = 64;

/** Meaning of the padding character. */
const PADDING = 65;

/** Meaning of every byte that is not part of base64. */
const BAD = 255;

/**
 * Meaning of each byte: the value 0..63 of the standard and the URL-safe alphabet, or one of the
 * meanings above.
 */
const MEANING = new Uint8Array(256).fill(BAD);
for (const [value, char] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries()) {
  MEANING[char.charCodeAt(0)] = value;
}
MEANING['-'.charCodeAt(0)] = 62;
MEANING['_'.charCodeAt(0)] = 63;
MEANING['='.charCodeAt(0)] = PADDING;
for (const char of ' \t\r\n') MEANING[char.charCodeAt(0)] = SPACE;

/**
 * Decodes base64 that arrives in pieces of any length. White space is skipped. The padding may be
 * left out, but must be correct if it is there (RFC 4648, 3.2).
 */
export class Base64Decoder {
  #bits = 0;
  /** Number of characters in the unfinished group, 0 to 3. */
  #count = 0;
  #padding = 0;
  /**
   * Buffer for all results. A new buffer for each piece would leave much garbage for large files.
   */
  #out = Buffer.alloc(0);

  /**
   * Decodes a piece. @returns the bytes that are complete, in a view that the next call overwrites.
   * @throws Base64Error
   */
  decode(text: Uint8Array): Buffer {
    const most = Math.ceil(text.length / 4 + 1) * 3;
    if (this.#out.length < most) this.#out = Buffer.allocUnsafe(most);
    const out = this.#out;
    let length = 0;
    let bits = this.#bits;
    let count = this.#count;
    for (let at = 0; at < text.length; at += 1) {
      const meaning = MEANING[text[at]!]!;
      if (meaning < SPACE) {
        if (this.#padding > 0) throw new Base64Error('has base64 after its padding');
        bits = (bits << 6) | meaning;
        count += 1;
        if (count === 4) {
          out[length] = bits >> 16;
          out[length + 1] = bits >> 8;
          out[length + 2] = bits;
          length += 3;
          bits = 0;
          count = 0;
        }
      } else if (meaning === PADDING) {
        this.#padding += 1;
      } else if (meaning === BAD) {
        throw new Base64Error('is not valid base64, a data: URI or an http(s) URL');
      }
    }
    this.#bits = bits;
    this.#count = count;
    return out.subarray(0, length);
  }

  /** Ends the text. @returns the last bytes. @throws Base64Error */
  end(): Buffer {
    const missing = (4 - this.#count) % 4;
    if (this.#count === 1) throw new Base64Error('is base64 that ends too early');
    if (this.#padding > 0 && this.#padding !== missing) throw new Base64Error('has wrong base64 padding');
    if (missing === 0) return Buffer.alloc(0);
    const bits = this.#bits << (6 * missing);
    return Buffer.from([bits >> 16, bits >> 8]).subarray(0, 3 - missing);
  }
}
