import type pg from 'pg';

/** Rows that one statement deletes: far below what the timeout of a statement leaves time for. */
const BATCH_SIZE = 10_000;

/**
 * Deletes the rows of a table that meet an SQL condition, however many there are, in statements of
 * bounded length. A row that changes meanwhile stays for the next time.
 * @returns how many.
 */
export async function deleteInBatches(
  pool: pg.Pool,
  table: string,
  condition: string,
  values: readonly unknown[] = [],
): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { rowCount } = await pool.query(
      `delete from ${table} where ctid = any(array(
         select ctid from ${table} where ${condition} limit ${BATCH_SIZE}))`,
      [...values],
    );
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH_SIZE) return deleted;
  }
}
