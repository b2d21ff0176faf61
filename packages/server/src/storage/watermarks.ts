import { createHmac, type KeyObject } from 'node:crypto';
import type pg from 'pg';

/** Bytes of a watermark's id. */
const ID_BYTES = 6;

/** Returns the id that a digest gives, in hex. */
export function watermarkIdOf(digest: Buffer): string {
  return digest.subarray(0, ID_BYTES).toString('hex');
}

/**
 * Returns the id of the watermark of an output, in hex: a truncated HMAC. It tells nothing without
 * the records of this installation, and is the same when the output is made again.
 * @param secret of this installation, which may serve other purposes too
 */
export function watermarkOf(secret: KeyObject, taskId: string, index: number): string {
  return watermarkIdOf(createHmac('sha256', secret).update(`watermark ${taskId} ${index}`).digest());
}

/** Returns whether an id is in the records of this installation: of a task that still exists. */
export async function knowsWatermark(pool: pg.Pool, id: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'knows-watermark',
    text: 'select from watermarks where id = $1',
    values: [Buffer.from(id, 'hex')],
  });
  return rowCount === 1;
}
