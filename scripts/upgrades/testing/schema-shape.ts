import type pg from 'pg';

/** What a schema demands of those who write to it, by table. */
export type SchemaShape = ReadonlyMap<string, TableShape>;

interface TableShape {
  readonly columns: ReadonlyMap<string, ColumnShape>;
  /** Definitions of constraints, unique indexes and triggers by name. */
  readonly rules: ReadonlyMap<string, string>;
  /** Tables whose rows cannot be deleted as long as a row here refers to them. */
  readonly holds: readonly string[];
}

interface ColumnShape {
  readonly type: string;
  /** Whether a row without a value for it is refused. */
  readonly must_be_given: boolean;
  readonly not_null: boolean;
}

/** Reads the shape of a database's schema from its catalog. */
export async function readShape(pool: pg.Pool): Promise<SchemaShape> {
  const tables = await pool.query<{ oid: number; name: string }>(
    `select oid, relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  );
  const shapes = tables.rows.map(async ({ oid, name }) => [name, await readTable(pool, oid)] as const);
  return new Map(await Promise.all(shapes));
}

async function readTable(pool: pg.Pool, oid: number): Promise<TableShape> {
  const columns = await pool.query<ColumnShape & { name: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as not_null,
       attnotnull and not atthasdef and attidentity = '' and attgenerated = '' as must_be_given
     from pg_attribute where attrelid = $1 and attnum > 0 and not attisdropped`,
    [oid],
  );
  const rules = await pool.query<{ name: string; definition: string }>(
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = $1 and contype <> 'n'
     union all
     select indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
     where indrelid = $1 and indisunique
       and not exists (select from pg_constraint where conindid = indexrelid and conrelid = $1)
     union all
     select tgname, pg_get_triggerdef(oid) from pg_trigger where tgrelid = $1 and not tgisinternal`,
    [oid],
  );
  const holds = await pool.query<{ name: string }>(
    `select confrelid::regclass::text as name from pg_constraint
     where conrelid = $1 and contype = 'f' and confdeltype in ('a', 'r')`,
    [oid],
  );
  return {
    columns: new Map(columns.rows.map(({ name, ...column }) => [name, column])),
    rules: new Map(rules.rows.map(({ name, definition }) => [name, definition])),
    holds: holds.rows.map(({ name }) => name),
  };
}

/**
 * Returns what a newer schema demands of a version that knows only the older one, one sentence
 * each. What that version reads and no longer finds is for `findRefused`.
 * @param survived names of rules that are new or changed, and that the older version keeps
 */
export function findTightened(
  older: SchemaShape,
  newer: SchemaShape,
  survived: ReadonlySet<string>,
): string[] {
  return [...newer].flatMap(([name, table]) => {
    const before = older.get(name);
    return before === undefined
      ? table.holds
          .filter((held) => older.has(held))
          .map((held) => `${name} keeps rows of ${held} from being deleted: let them cascade or set null`)
      : tightenedTable(name, before, table, survived);
  });
}

function tightenedTable(
  name: string,
  before: TableShape,
  after: TableShape,
  survived: ReadonlySet<string>,
): string[] {
  const columns = [...after.columns].flatMap(([column, now]) => {
    const was = before.columns.get(column);
    if (was === undefined) return now.must_be_given ? [`${name}.${column} is new and has no default`] : [];
    if (was.type !== now.type) return [`${name}.${column} was ${was.type} and is ${now.type}`];
    if (now.not_null && !was.not_null) return [`${name}.${column} may no longer be null`];
    return now.must_be_given && !was.must_be_given ? [`${name}.${column} lost its default`] : [];
  });
  const rules = [...after.rules]
    .filter(([rule, definition]) => before.rules.get(rule) !== definition && !survived.has(rule))
    .map(([rule]) => `${name} has the rule ${rule}, which is new or changed`);
  return [...columns, ...rules];
}
