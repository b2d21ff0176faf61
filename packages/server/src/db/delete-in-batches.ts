import type pg from 'pg';

/** Rows that one statement deletes, so few that the statement never reaches its timeout. */
const BATCH_SIZE = 10_000;

/**
 * Deletes all rows of a table that meet an SQL condition, in statements of limited size. A row that
 * changes during the deletion may be kept until the next call.
 * @returns the number of deleted rows
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
