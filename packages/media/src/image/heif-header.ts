import type { RangeReader } from '../range-reader.ts';
import { unreadable } from '../media-error.ts';
import type { ImageHeader } from './header.ts';
import { type Box, findBox, readBoxes } from '../container/iso-boxes.ts';

/**
 * The primary image of a HEIF or AVIF file. Its sides are upright, because crop, rotation and
 * mirror are properties of the image and not EXIF.
 */
export interface HeifHeader extends ImageHeader {
  codec: 'hevc' | 'av1';
  colour: HeifColour;
}

/**
 * Colour space of the image. `icc` has priority over `displayP3` (an nclx box with P3 primaries).
 * Without both, the image is sRGB.
 */
export interface HeifColour {
  icc: Buffer | null;
  displayP3: boolean;
}

/**
 * Largest item table that is read. Real ones take some KiB, or some hundred KiB with an ICC profile
 * and many tiles.
 */
const MAX_META_BYTES = 4 * 1024 * 1024;

/** Largest number of properties of one item: one association can list this many. */
const MAX_ITEM_PROPERTIES = 255;

/** Number of Display P3's primaries, SMPTE EG 432-1 (ISO/IEC 23091-2). */
const P3_PRIMARIES = 12;

/** Number of sRGB's transfer curve (ISO/IEC 23091-2). */
const SRGB_TRANSFER = 13;

/** Reads the properties of the primary item in the order they apply (ISO/IEC 23008-12). */
export async function readHeifHeader(reader: RangeReader): Promise<HeifHeader> {
  const meta = await readMeta(reader);
  const boxes = readBoxes(meta, 4);
  const itemId = primaryItemId(findBox(boxes, 'pitm')?.body);
  const itemProperties = findBox(boxes, 'iprp');
  if (itemId === null || !itemProperties) throw unreadable('it holds no still image');
  const children = readBoxes(itemProperties.body, 0);
  const container = findBox(children, 'ipco');
  if (!container) throw unreadable('its image has no properties');
  const all = readBoxes(container.body, 0);
  const associations = children.filter((box) => box.type === 'ipma');
  const indices = associations.flatMap((box) => associatedIndices(box.body, itemId));
  // Indices start at 1; 0 means none.
  const own = indices.slice(0, MAX_ITEM_PROPERTIES).flatMap((index) => all[index - 1] ?? []);
  return { ...uprightSize(own), orientation: 1, codec: codecOf(boxes, itemId), colour: colourOf(own, all) };
}

async function readMeta(reader: RangeReader): Promise<Buffer> {
  for (let offset = 0; offset + 8 <= reader.sizeBytes;) {
    const head = await reader.read(offset, 8);
    const type = head.toString('latin1', 4, 8);
    let headBytes = 8;
    let length = head.readUInt32BE(0);
    if (length === 1) {
      length = Number((await reader.read(offset + 8, 8)).readBigUInt64BE(0));
      headBytes = 16;
    }
    if (length === 0) length = reader.sizeBytes - offset;
    if (length < headBytes) throw unreadable('a box has no length');
    if (type === 'meta') return reader.readWhole(offset + headBytes, length - headBytes, MAX_META_BYTES);
    offset += length;
  }
  throw unreadable('it holds no still image');
}

function primaryItemId(pitm: Buffer | undefined): number | null {
  if (!pitm || pitm.length < 6) return null;
  if (pitm[0] === 0) return pitm.readUInt16BE(4);
  return pitm.length >= 8 ? pitm.readUInt32BE(4) : null;
}

/**
 * Returns the entries of `ipco` that belong to the item, in their order (item property
 * association).
 */
function associatedIndices(ipma: Buffer, itemId: number): number[] {
  if (ipma.length < 8) return [];
  const idBytes = ipma[0] === 0 ? 2 : 4;
  const wide = (ipma[3]! & 1) !== 0;
  let at = 8;
  for (let entries = ipma.readUInt32BE(4); entries > 0 && at + idBytes + 1 <= ipma.length; entries--) {
    const id = ipma.readUIntBE(at, idBytes);
    const count = ipma[at + idBytes]!;
    at += idBytes + 1;
    const end = at + count * (wide ? 2 : 1);
    if (end > ipma.length) return [];
    // The top bit marks essential properties.
    if (id === itemId) {
      return Array.from({ length: count }, (_, index) =>
        wide ? ipma.readUInt16BE(at + 2 * index) & 0x7fff : ipma[at + index]! & 0x7f,
      );
    }
    at = end;
  }
  return [];
}

function uprightSize(properties: readonly Box[]): { width: number; height: number } {
  let width = 0;
  let height = 0;
  for (const { type, body } of properties) {
    if (type === 'ispe' && body.length >= 12) {
      width = body.readUInt32BE(4);
      height = body.readUInt32BE(8);
    } else if (type === 'clap' && body.length >= 16) {
      width = Math.min(width, cleanSide(body, 0));
      height = Math.min(height, cleanSide(body, 8));
    } else if (type === 'irot' && body.length >= 1 && (body[0]! & 1) === 1) {
      [width, height] = [height, width];
    }
  }
  if (width === 0 || height === 0) throw unreadable('its image has no size');
  return { width, height };
}

/** Reads a side of the clean aperture, which is a fraction, and rounds it as libheif does. */
function cleanSide(clap: Buffer, at: number): number {
  const side = clap.readUInt32BE(at) / clap.readUInt32BE(at + 4);
  return Number.isFinite(side) ? Math.round(side) : 0;
}

/**
 * Finds the codec from the primary item's type. A grid or an overlay has no codec itself, so the
 * file's other items decide.
 */
function codecOf(boxes: readonly Box[], itemId: number): HeifHeader['codec'] {
  const types = itemTypes(findBox(boxes, 'iinf')?.body);
  const own = types.get(itemId);
  if (own === 'av01') return 'av1';
  return own === 'hvc1' || [...types.values()].includes('hvc1') ? 'hevc' : 'av1';
}

function itemTypes(iinf: Buffer | undefined): Map<number, string> {
  const types = new Map<number, string>();
  if (!iinf || iinf.length < 8) return types;
  for (const { type, body } of readBoxes(iinf, iinf[0] === 0 ? 6 : 8)) {
    const idBytes = body[0] === 2 ? 2 : 4;
    if (type !== 'infe' || body.length < 4 + idBytes + 6) continue;
    const at = 4 + idBytes + 2;
    types.set(body.readUIntBE(4, idBytes), body.toString('latin1', at, at + 4));
  }
  return types;
}

const isColour = (box: Box) => box.type === 'colr' && box.body.length >= 4;
const colourKind = (box: Box) => box.body.toString('latin1', 0, 4);

/**
 * Reads the item's own `colr` boxes. If the item is a grid without any, reads those of its tiles.
 */
function colourOf(own: readonly Box[], all: readonly Box[]): HeifColour {
  const boxes = own.some(isColour) ? own.filter(isColour) : all.filter(isColour);
  const profile = boxes.find((box) => colourKind(box) === 'prof' || colourKind(box) === 'rICC');
  const coded = boxes.find((box) => colourKind(box) === 'nclx' && box.body.length >= 10);
  return {
    icc: profile ? profile.body.subarray(4) : null,
    displayP3: coded?.body.readUInt16BE(4) === P3_PRIMARIES && coded.body.readUInt16BE(6) === SRGB_TRANSFER,
  };
}
