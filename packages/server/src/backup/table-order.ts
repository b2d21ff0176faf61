import type { Queryable } from '../db/database.ts';

export interface BackedUpTable {
  readonly name: string;
  /** Columns with stored values, in order. */
  readonly columns: readonly string[];
}

/** Tables that are not copied, because running processes fill them again. */
const LEFT_OUT = new Set(['workers', 'schema_migrations', 'schema_migration_lock', 'schema_compatibility']);

/**
 * Reads the tables of this installation from the catalog. Each table comes after the tables that it
 * refers to, so that they can be filled in this order.
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

/**
 * Columns that are copied otherwise. Results of hidden tasks are left out: only their request needs
 * them.
 */
const COPIED_AS: Readonly<Record<string, string>> = {
  'tasks.result': 'case when hidden then null else result end',
};

/**
 * Conditions for tables that are copied only in part. Files that the steps of a film pass to each
 * other contain face embeddings and are left out; a restored film starts again.
 */
const COPIED_ROWS: Readonly<Record<string, string>> = {
  objects: `kind <> 'temporary'`,
  task_parts: `task_id not in (select id from tasks where work ->> 'kind' = 'swap-video')`,
};

/** Returns SQL that reads the copied part of a table. */
export function copySource({ name, columns }: BackedUpTable): string {
  const values = columns.map((column) => COPIED_AS[`${name}.${column}`] ?? quote(column));
  return `(select ${values.join(', ')} from ${quote(name)} where ${COPIED_ROWS[name] ?? 'true'})`;
}

/** Returns SQL that names a table and its columns, for COPY. */
export function copyTarget({ name, columns }: BackedUpTable): string {
  return `${quote(name)} (${columns.map(quote).join(', ')})`;
}

export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
