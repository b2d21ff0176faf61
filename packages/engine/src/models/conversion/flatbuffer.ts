/**
 * Reads tables of a FlatBuffers file. A table is given as the offset of its data in the file. Its
 * fields are found through its vtable, and an absent field has its default.
 */
export class FlatBuffer {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  rootTable(): number {
    return this.#bytes.readUInt32LE(0);
  }

  int8(table: number, field: number, absent = 0): number {
    const at = this.#field(table, field);
    return at === 0 ? absent : this.#bytes.readInt8(at);
  }

  int32(table: number, field: number, absent = 0): number {
    const at = this.#field(table, field);
    return at === 0 ? absent : this.#bytes.readInt32LE(at);
  }

  string(table: number, field: number): string {
    return this.bytes(table, field).toString('utf8');
  }

  /** Returns a vector of bytes without copying it, or an empty one if it is absent. */
  bytes(table: number, field: number): Buffer {
    const { start, count } = this.#vector(table, field);
    return this.#bytes.subarray(start, start + count);
  }

  int32s(table: number, field: number): number[] {
    const { start, count } = this.#vector(table, field);
    return Array.from({ length: count }, (_, i) => this.#bytes.readInt32LE(start + 4 * i));
  }

  /** Returns the table that a field points to, or null. */
  table(table: number, field: number): number | null {
    const at = this.#field(table, field);
    return at === 0 ? null : this.#follow(at);
  }

  tables(table: number, field: number): number[] {
    const { start, count } = this.#vector(table, field);
    return Array.from({ length: count }, (_, i) => this.#follow(start + 4 * i));
  }

  /** Returns the offset of a field's value, or 0 if the table does not have it. */
  #field(table: number, field: number): number {
    const vtable = table - this.#bytes.readInt32LE(table);
    const entry = 4 + 2 * field;
    if (entry >= this.#bytes.readUInt16LE(vtable)) return 0;
    const offset = this.#bytes.readUInt16LE(vtable + entry);
    return offset === 0 ? 0 : table + offset;
  }

  #vector(table: number, field: number): { start: number; count: number } {
    const at = this.#field(table, field);
    if (at === 0) return { start: 0, count: 0 };
    const vector = this.#follow(at);
    return { start: vector + 4, count: this.#bytes.readUInt32LE(vector) };
  }

  #follow(at: number): number {
    return at + this.#bytes.readUInt32LE(at);
  }
}
