/** Numbers of the written wire types. The lowest three bits of a field's key hold one. */
const WIRE_TYPES = { varint: 0, lengthDelimited: 2, fixed32: 5 } as const;

/**
 * Writes one protocol buffer message, with the part of the wire format that ONNX needs. Fields are
 * in the order of the calls.
 */
export class ProtobufWriter {
  readonly #parts: Uint8Array[] = [];
  #sizeBytes = 0;

  /** Writes an int32, int64, bool or enum. The format requires ten bytes for a negative number. */
  integer(field: number, value: number): void {
    this.#key(field, WIRE_TYPES.varint);
    this.#varint(value);
  }

  float(field: number, value: number): void {
    this.#key(field, WIRE_TYPES.fixed32);
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    this.#append(bytes);
  }

  bytes(field: number, value: Uint8Array): void {
    this.#key(field, WIRE_TYPES.lengthDelimited);
    this.#varint(value.length);
    this.#append(value);
  }

  string(field: number, value: string): void {
    this.bytes(field, Buffer.from(value, 'utf8'));
  }

  /** Writes a nested message that `write` fills. */
  message(field: number, write: (nested: ProtobufWriter) => void): void {
    const nested = new ProtobufWriter();
    write(nested);
    this.#key(field, WIRE_TYPES.lengthDelimited);
    this.#varint(nested.#sizeBytes);
    for (const part of nested.#parts) this.#append(part);
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts, this.#sizeBytes);
  }

  #key(field: number, wireType: number): void {
    this.#varint((field << 3) | wireType);
  }

  #varint(value: number): void {
    const bytes: number[] = [];
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest > 127n) {
      bytes.push(Number(rest & 127n) | 128);
      rest >>= 7n;
    }
    bytes.push(Number(rest));
    this.#append(Uint8Array.from(bytes));
  }

  #append(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#sizeBytes += bytes.length;
  }
}
