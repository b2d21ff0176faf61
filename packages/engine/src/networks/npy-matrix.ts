/** First bytes of a file of numpy. */
const MAGIC = Buffer.from('\x93NUMPY', 'latin1');
/** Place of the format's version. */
const VERSION_AT = 6;
/** Place of the header's length, which has 2 bytes in version 1 and 4 bytes later. */
const LENGTH_AT = 8;

/**
 * Reads a matrix of float32 from a file of numpy (.npy), row by row.
 * @throws Error with a sentence if it holds anything else
 */
export function readNpyMatrix(bytes: Uint8Array, rows: number, columns: number): Float32Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wanted = `It is not a numpy file with ${rows} x ${columns} values of float32.`;
  if (file.length < LENGTH_AT + 4 || !file.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error(wanted);
  const [headerAt, headerLength] =
    file[VERSION_AT] === 1
      ? [LENGTH_AT + 2, file.readUInt16LE(LENGTH_AT)]
      : [LENGTH_AT + 4, file.readUInt32LE(LENGTH_AT)];
  const header = file.toString('latin1', headerAt, headerAt + headerLength);
  const values = file.subarray(headerAt + headerLength);
  const isExpected =
    /'descr': *'<f4'/.test(header) &&
    /'fortran_order': *False/.test(header) &&
    new RegExp(`'shape': *\\(${rows}, *${columns}\\)`).test(header);
  if (!isExpected || values.length !== 4 * rows * columns) throw new Error(wanted);
  return Float32Array.from({ length: rows * columns }, (_, k) => values.readFloatLE(4 * k));
}
