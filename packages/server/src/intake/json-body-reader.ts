import { type AppError, fieldError, invalidField, unknownNameError } from '@guise/contract/errors.ts';
import { V1_LIMITS } from '@guise/contract/limits.ts';
import type {
  BodyDeclaration,
  JsonField,
  ObjectJsonField,
  ObjectsJsonField,
} from '@guise/contract/v1/body.ts';
import { parseLiteral, type Scalar, wrongType } from './json-scalar.ts';
import { decodeJsonString, invalidRequest, malformedJson } from './json-string.ts';
import { type GivenMedia, MediaString } from './media-string.ts';

/**
 * Complete JSON body. Every value has the type of its field, but has not been checked further.
 * Fields that were not sent are absent.
 */
export interface ReadBody {
  readonly scalars: ReadonlyMap<string, Scalar>;
  readonly media: ReadonlyMap<string, GivenMedia>;
  readonly lists: ReadonlyMap<string, readonly GivenMedia[]>;
  /** Number of objects in each list of objects. Names of their fields look like `name[0].field`. */
  readonly objects: ReadonlyMap<string, number>;
}

export interface BodyLimits {
  /** Largest number of images that a list may have. More are refused with BATCH_TOO_LARGE. */
  readonly maxImages: number;
}

/**
 * Largest number of bytes of a key or a short text as sent. Each character may be an escape of six
 * bytes.
 */
const MAX_TEXT_BYTES = 6 * V1_LIMITS.urlLength + 64;

/** Largest number of bytes of a number, true or false. */
const MAX_LITERAL_BYTES = 64;

/** Bytes of the byte order mark, which a parser may ignore (RFC 8259, 8.1). */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Byte of the quotation mark that begins and ends a string. */
const QUOTE = 0x22;

/** Byte of the backslash that begins an escape. */
const BACKSLASH = 0x5c;

/** Byte of the letter u, which makes an escape six bytes long. */
const LOWER_U = 0x75;

/** An object that is being read. */
interface Level {
  readonly fields: readonly JsonField[];
  /** Prefix of the names of its fields. */
  readonly prefix: string;
  /** Names of fields that have been read. */
  readonly seen: Set<string>;
  /** Field that holds the object; null for the body itself. */
  readonly owner: ObjectJsonField | ObjectsJsonField | null;
}

/** Positions in the grammar, named after what may come next. */
type Place =
  | 'start'
  | 'first-key'
  | 'key'
  | 'colon'
  | 'value'
  | 'first-element'
  | 'element'
  | 'after-value'
  | 'after-element'
  | 'end';

/**
 * Reads one JSON object (RFC 8259) of scalars, strings, lists of strings and declared objects. It
 * accepts the text in pieces that may end anywhere.
 */
export class JsonBodyReader {
  readonly #limits: BodyLimits;
  readonly #newPath: () => string;
  readonly #scalars = new Map<string, Scalar>();
  readonly #media = new Map<string, GivenMedia>();
  readonly #lists = new Map<string, GivenMedia[]>();
  readonly #objects = new Map<string, number>();
  /** Objects that are open, beginning with the body itself. */
  readonly #levels: Level[];
  /** Number of bytes of the byte order mark that were read; all of them once no mark can come. */
  #markBytes = 0;
  #place: Place = 'start';
  /** The current field, from the end of its key to the end of its value. */
  #field: JsonField | null = null;
  /** Whether a string is being read. The string is a medium or a short text. */
  #inString = false;
  #medium: MediaString | null = null;
  #text: Buffer[] = [];
  #textBytes = 0;
  /**
   * Bytes of an unfinished escape, beginning with its backslash. `#escapeBytes` of them are valid.
   */
  readonly #escape = Buffer.from('\\u0000');
  #escapeBytes = 0;
  /** Text of a number, true or false that is being read. */
  #literal = '';

  constructor(declaration: BodyDeclaration, limits: BodyLimits, newPath: () => string) {
    this.#levels = [{ fields: declaration.fields, prefix: '', seen: new Set(), owner: null }];
    this.#limits = limits;
    this.#newPath = newPath;
  }

  async take(piece: Buffer): Promise<void> {
    let at = this.#skipMark(piece);
    while (at < piece.length) {
      if (this.#inString) at = await this.#takeString(piece, at);
      else {
        this.#takeToken(piece[at]!);
        at += 1;
      }
    }
  }

  end(): ReadBody {
    if (this.#place === 'start') throw noObject();
    if (this.#place !== 'end') throw malformedJson();
    return {
      scalars: this.#scalars,
      media: this.#media,
      lists: this.#lists,
      objects: this.#objects,
    };
  }

  async close(): Promise<void> {
    await this.#medium?.close();
  }

  /** Skips the byte order mark. @returns the offset at which the text begins. */
  #skipMark(piece: Buffer): number {
    let at = 0;
    while (at < piece.length && this.#markBytes < BYTE_ORDER_MARK.length) {
      if (piece[at] === BYTE_ORDER_MARK[this.#markBytes]) {
        at += 1;
        this.#markBytes += 1;
      } else if (this.#markBytes === 0) this.#markBytes = BYTE_ORDER_MARK.length;
      else throw noObject();
    }
    return at;
  }

  /** Reads the rest of a string. @returns the offset at which the string or the piece ends. */
  async #takeString(piece: Buffer, from: number): Promise<number> {
    let at = from;
    while (at < piece.length) {
      // A string may consist only of escapes. To be fast, an escape allocates nothing, and nothing
      // is awaited unless data is being written.
      let writing: Promise<void> | undefined;
      if (this.#escapeBytes > 0) {
        this.#escape[this.#escapeBytes] = piece[at]!;
        this.#escapeBytes += 1;
        at += 1;
        if (this.#escapeBytes === (this.#escape[1] === LOWER_U ? 6 : 2)) writing = this.#endEscape();
      } else if (isPlain(piece[at]!)) {
        const start = at;
        while (at < piece.length && isPlain(piece[at]!)) at += 1;
        writing = this.#addInside(piece, start, at);
      } else if (piece[at] === BACKSLASH) {
        this.#escapeBytes = 1;
        at += 1;
      } else if (piece[at] === QUOTE) {
        await this.#endString();
        return at + 1;
      } else throw malformedJson();
      if (writing !== undefined) await writing;
    }
    return at;
  }

  #endEscape(): Promise<void> | undefined {
    const length = this.#escapeBytes;
    this.#escapeBytes = 0;
    if (this.#medium === null) return this.#addInside(this.#escape, 0, length);
    return this.#medium.writeEscape(this.#escape, length);
  }

  /** Adds a part of a string that does not split an escape. */
  #addInside(piece: Buffer, start: number, end: number): Promise<void> | undefined {
    if (this.#medium !== null) return this.#medium.write(piece, start, end);
    this.#addText(piece.subarray(start, end));
    return undefined;
  }

  #addText(raw: Buffer): void {
    this.#textBytes += raw.length;
    if (this.#textBytes > MAX_TEXT_BYTES) {
      const rest = `is longer than ${MAX_TEXT_BYTES} bytes.`;
      if (this.#field === null) throw invalidRequest(`A field name ${rest}`, MAX_TEXT_BYTES);
      throw invalidField(this.#field.name, rest, { limit: MAX_TEXT_BYTES });
    }
    this.#text.push(Buffer.from(raw));
  }

  #beginString(): void {
    this.#inString = true;
    this.#text = [];
    this.#textBytes = 0;
  }

  async #endString(): Promise<void> {
    this.#inString = false;
    const field = this.#field;
    const medium = this.#medium;
    if (medium !== null) {
      const given = await medium.end();
      this.#medium = null;
      if (field!.kind === 'images') this.#lists.get(field!.name)!.push(given);
      else this.#media.set(field!.name, given);
      this.#place = field!.kind === 'images' ? 'after-element' : 'after-value';
      return;
    }
    const text = decodeJsonString(Buffer.concat(this.#text));
    if (field === null) {
      this.#field = this.#fieldOf(text);
      this.#place = 'colon';
    } else {
      this.#scalars.set(field.name, text);
      this.#place = 'after-value';
    }
  }

  #fieldOf(name: string): JsonField {
    const { fields, prefix, seen } = this.#levels.at(-1)!;
    const field = fields.find((each) => each.name === name);
    if (field === undefined) throw unknownNameError('field', `${prefix}${name}`);
    if (seen.has(name)) throw invalidField(`${prefix}${name}`, 'was sent twice.');
    seen.add(name);
    return prefix === '' ? field : { ...field, name: `${prefix}${name}` };
  }

  #takeToken(byte: number): void {
    if (this.#literal !== '') {
      if (!isDelimiter(byte)) {
        this.#literal += String.fromCharCode(byte);
        if (this.#literal.length > MAX_LITERAL_BYTES) throw wrongType(this.#field!);
        return;
      }
      this.#endLiteral();
    }
    if (isSpace(byte)) return;
    const char = String.fromCharCode(byte);
    switch (this.#place) {
      case 'start':
        if (char !== '{') throw noObject();
        this.#place = 'first-key';
        return;
      case 'first-key':
      case 'key':
        if (char === '"') return this.#beginString();
        if (char !== '}' || this.#place === 'key') throw malformedJson();
        return this.#endLevel();
      case 'colon':
        if (char !== ':') throw malformedJson();
        this.#place = 'value';
        return;
      case 'value':
        return this.#beginValue(this.#field!, char);
      case 'first-element':
      case 'element':
        if (char === ']' && this.#place === 'first-element') this.#place = 'after-value';
        else this.#beginElement(this.#field!, char);
        return;
      case 'after-element':
        if (char !== ',' && char !== ']') throw malformedJson();
        this.#place = char === ',' ? 'element' : 'after-value';
        return;
      case 'after-value':
        if (char !== ',' && char !== '}') throw malformedJson();
        this.#field = null;
        if (char === '}') return this.#endLevel();
        this.#place = 'key';
        return;
      case 'end':
        throw malformedJson();
    }
  }

  #beginValue(field: JsonField, char: string): void {
    switch (field.kind) {
      case 'image':
      case 'video':
      case 'choice':
      case 'engine':
      case 'text':
      case 'saved-face':
      case 'webhook':
        if (char !== '"') throw wrongType(field);
        if (field.kind === 'image' || field.kind === 'video')
          this.#medium = this.#openMedium(field, field.name);
        return this.#beginString();
      case 'images':
        if (char !== '[') throw wrongType(field);
        this.#lists.set(field.name, []);
        this.#place = 'first-element';
        return;
      case 'object':
        if (char !== '{') throw wrongType(field);
        return this.#beginLevel(field, `${field.name}.`);
      case 'objects':
        if (char !== '[') throw wrongType(field);
        this.#objects.set(field.name, 0);
        this.#place = 'first-element';
        return;
      case 'index':
      case 'number':
      case 'switch':
        if (!/[-0-9a-z]/.test(char)) throw wrongType(field);
        this.#literal = char;
    }
  }

  #beginLevel(owner: ObjectJsonField | ObjectsJsonField, prefix: string): void {
    this.#levels.push({ fields: owner.fields, prefix, seen: new Set(), owner });
    this.#field = null;
    this.#place = 'first-key';
  }

  #endLevel(): void {
    const { owner } = this.#levels.pop()!;
    this.#field = owner;
    this.#place = owner === null ? 'end' : owner.kind === 'objects' ? 'after-element' : 'after-value';
  }

  #beginElement(field: JsonField, char: string): void {
    if (field.kind === 'objects') {
      const count = this.#objects.get(field.name)!;
      const { name, maxItems } = field;
      if (count === maxItems)
        throw invalidField(name, `has more than ${maxItems} entries.`, { limit: maxItems });
      if (char !== '{') throw invalidField(`${name}[${count}]`, 'must be an object.');
      this.#objects.set(name, count + 1);
      return this.#beginLevel(field, `${name}[${count}].`);
    }
    const number = this.#lists.get(field.name)!.length;
    const name = `${field.name}[${number}]`;
    const { maxImages } = this.#limits;
    if (number === maxImages) throw tooManyImages(field.name, maxImages);
    if (char !== '"') throw invalidField(name, 'must be a string.');
    this.#medium = this.#openMedium(field, name);
    this.#beginString();
  }

  #openMedium({ kind }: JsonField, name: string): MediaString {
    return new MediaString({
      name,
      maxBytes: kind === 'video' ? V1_LIMITS.videoBytes : V1_LIMITS.imageBytes,
      tooLarge: kind === 'video' ? 'VIDEO_TOO_LARGE' : 'IMAGE_TOO_LARGE',
      newPath: this.#newPath,
    });
  }

  #endLiteral(): void {
    const field = this.#field!;
    const value = parseLiteral(field, this.#literal);
    if (value === null) throw wrongType(field);
    this.#scalars.set(field.name, value);
    this.#literal = '';
    this.#place = 'after-value';
  }
}

function noObject(): AppError {
  return invalidRequest('The request body must be a JSON object.');
}

export function tooManyImages(name: string, maxImages: number): AppError {
  const rest = `has more than ${maxImages} images, the limit of this plan.`;
  return fieldError('BATCH_TOO_LARGE', name, rest, { limit: maxImages });
}

/**
 * Returns whether a byte of a string stands for itself. UTF-8 is checked when the text is decoded.
 */
function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDelimiter(byte: number): boolean {
  return isSpace(byte) || byte === 0x2c || byte === 0x7d || byte === 0x5d;
}
