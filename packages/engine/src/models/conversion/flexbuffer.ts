/**
 * Numbers of the FlexBuffers value types that the options of MediaPipe's operators use. The upper
 * six bits of a type byte hold the number.
 */
const VALUE_TYPES = { int: 1, uint: 2, float: 3, map: 9, intVector: 11, uintVector: 12 } as const;

/** Options of a custom TensorFlow Lite operator: numbers and lists of integers by name. */
export type FlexMap = Readonly<Record<string, number | readonly number[]>>;

/**
 * Reads a FlexBuffers map of numbers and integer vectors. Throws on any other type.
 *
 * A value is stored in slots of 1, 2, 4 or 8 bytes. All values except plain numbers are stored as
 * an offset back to their data. The buffer ends with the root's slot, its type and its slot width.
 */
export function readFlexMap(bytes: Buffer): FlexMap {
  const rootWidth = bytes[bytes.length - 1]!;
  const rootType = bytes[bytes.length - 2]!;
  const root = readValue(bytes, bytes.length - 2 - rootWidth, rootWidth, rootType);
  if (typeof root !== 'object' || Array.isArray(root)) throw new Error('The options are not a map');
  return root as FlexMap;
}

/**
 * Reads the value in one slot.
 * @param at offset of the slot
 * @param width size of the slot, in bytes
 * @param packedType type * 4 + log2(width of the data that it points to)
 */
function readValue(
  bytes: Buffer,
  at: number,
  width: number,
  packedType: number,
): number | readonly number[] | FlexMap {
  const type = packedType >> 2;
  if (type === VALUE_TYPES.int) return readSigned(bytes, at, width);
  if (type === VALUE_TYPES.uint) return bytes.readUIntLE(at, width);
  if (type === VALUE_TYPES.float) return width === 4 ? bytes.readFloatLE(at) : bytes.readDoubleLE(at);
  const start = at - bytes.readUIntLE(at, width);
  const elementWidth = 1 << (packedType & 3);
  const count = bytes.readUIntLE(start - elementWidth, elementWidth);
  if (type === VALUE_TYPES.intVector || type === VALUE_TYPES.uintVector) {
    const read = type === VALUE_TYPES.intVector ? readSigned : readUnsigned;
    return Array.from({ length: count }, (_, i) => read(bytes, start + i * elementWidth, elementWidth));
  }
  if (type === VALUE_TYPES.map) return readMap(bytes, start, count, elementWidth);
  throw new Error(`Unknown FlexBuffers type ${type}`);
}

/**
 * Reads a map. Before its values are the offset of its sorted keys, the keys' slot width and the
 * count. After them are the values' types.
 */
function readMap(bytes: Buffer, start: number, count: number, width: number): FlexMap {
  const keysSlot = start - 3 * width;
  const keys = keysSlot - bytes.readUIntLE(keysSlot, width);
  const keyWidth = bytes.readUIntLE(start - 2 * width, width);
  const map: Record<string, number | readonly number[]> = {};
  for (let i = 0; i < count; i++) {
    const keySlot = keys + i * keyWidth;
    const keyStart = keySlot - bytes.readUIntLE(keySlot, keyWidth);
    const key = bytes.toString('utf8', keyStart, bytes.indexOf(0, keyStart));
    const value = readValue(bytes, start + i * width, width, bytes[start + count * width + i]!);
    if (typeof value === 'object' && !Array.isArray(value)) throw new Error(`${key} is a map in a map`);
    map[key] = value as number | readonly number[];
  }
  return map;
}

function readSigned(bytes: Buffer, at: number, width: number): number {
  return bytes.readIntLE(at, width);
}

function readUnsigned(bytes: Buffer, at: number, width: number): number {
  return bytes.readUIntLE(at, width);
}
