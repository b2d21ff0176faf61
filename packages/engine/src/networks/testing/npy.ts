/** Writes a matrix as numpy does. @returns a file of version 1 */
export function npyOf(values: Float32Array, rows: number, columns: number): Buffer {
  const header =
    `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`.padEnd(117) + '\n';
  const head = Buffer.alloc(10);
  head.write('\x93NUMPY\x01\x00', 'latin1');
  head.writeUInt16LE(header.length, 8);
  return Buffer.concat([head, Buffer.from(header, 'latin1'), Buffer.from(values.buffer)]);
}
