/** One field of a protocol buffer message. */
export interface ProtobufField {
  readonly number: number;
  /** Bytes of a text, a message or a packed list; a number for all other types. */
  readonly value: Uint8Array | number;
}

/** Numbers of the wire types. The lowest three bits of a field's key hold one. */
const WIRE_TYPES = { varint: 0, fixed64: 1, lengthDelimited: 2, fixed32: 5 } as const;
/** Largest number of bytes of a varint. */
const MAX_VARINT_BYTES = 10;

/**
 * Reads the fields of one protocol buffer message, in their order. Nested messages are returned as
 * bytes, without a copy. Integers beyond 2^53 lose their lowest bits.
 * @throws Error if the bytes are no message
 */
export function* protobufFields(message: Uint8Array): Generator<ProtobufField> {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let k = 0; k < MAX_VARINT_BYTES; k++) {
      const byte = message[at++];
      if (byte === undefined) break;
      value += (byte & 127) * 2 ** (7 * k);
      if (byte < 128) return value;
    }
    throw new Error('a number has no end');
  };
  const skip = (count: number): number => {
    const start = at;
    if (count > message.length - at) throw new Error('a field is cut off');
    at += count;
    return start;
  };
  while (at < message.length) {
    const key = varint();
    const number = Math.floor(key / 8);
    switch (key % 8) {
      case WIRE_TYPES.varint:
        yield { number, value: varint() };
        break;
      case WIRE_TYPES.fixed64:
        yield { number, value: view.getFloat64(skip(8), true) };
        break;
      case WIRE_TYPES.lengthDelimited: {
        const length = varint();
        const start = skip(length);
        yield { number, value: message.subarray(start, start + length) };
        break;
      }
      case WIRE_TYPES.fixed32:
        yield { number, value: view.getFloat32(skip(4), true) };
        break;
      default:
        throw new Error('a field has an unknown type');
    }
  }
}
