import type { Queryable } from '../db/database.ts';

export interface BackedUpTable {
  readonly name: string;
  /** Columns with values of their own, in their order. */
  readonly columns: readonly string[];
}

/** Tables that running processes fill again, and that mean nothing elsewhere. */
const LEFT_OUT = new Set(['workers', 'schema_migrations', 'schema_migration_lock', 'schema_compatibility']);

/**
 * Reads the tables of this installation from the catalog, each after those that its rows refer to,
 * so that they can be filled one after the other.
 */
export async function readTables(db: Queryable): Promise<BackedUpTable[]> {
  const { rows } = await db.query<{ name: string; columns: string[]; refers_to: string[] }>(
    `select relname as name,
       array(select attname::text from pg_attribute
             where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
             order by attnum) as columns,
       array(select distinct other.relname::text from pg_constraint join pg_class other on other.oid = confrelid
             where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid) as refers_to
     from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`,
  );
  let left = rows.filter(({ name }) => !LEFT_OUT.has(name));
  const ordered: BackedUpTable[] = [];
  while (left.length > 0) {
    const waiting = new Set(left.map(({ name }) => name));
    const next = left.filter((table) => !table.refers_to.some((name) => waiting.has(name)));
    if (next.length === 0) throw new Error(`tables refer to one another in a circle: ${[...waiting].join()}`);
    ordered.push(...next.map(({ name, columns }) => ({ name, columns })));
    left = left.filter((table) => !next.includes(table));
  }
  return ordered;
}

/** Columns that are not copied as they are: what a look at a clip found is nobody's but its own. */
const COPIED_AS: Readonly<Record<string, string>> = {
  'tasks.result': 'case when hidden then null else result end',
};

/**
 * Rows that are copied, of tables that have others: files that the steps of a film hand to each
 * other hold face embeddings. A restored film begins again.
 */
const COPIED_ROWS: Readonly<Record<string, string>> = {
  objects: `kind <> 'temporary'`,
  task_parts: `task_id not in (select id from tasks where work ->> 'kind' = 'swap-video')`,
};

/** SQL that reads the copied part of a table. */
export function copySource({ name, columns }: BackedUpTable): string {
  const values = columns.map((column) => COPIED_AS[`${name}.${column}`] ?? quote(column));
  return `(select ${values.join(', ')} from ${quote(name)} where ${COPIED_ROWS[name] ?? 'true'})`;
}

/** SQL that names a table and its columns, as COPY needs them. */
export function copyTarget({ name, columns }: BackedUpTable): string {
  return `${quote(name)} (${columns.map(quote).join(', ')})`;
}

export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
