// Writes migrations/schema.sql: what all migrations together make, read back from a freshly
// migrated PostgreSQL. `--check` changes nothing and fails when the file differs. The bundled
// PostgreSQL has no pg_dump, so this reads the catalogs itself: tables, columns, constraints,
// indexes, triggers, storage options, views, functions.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { MIGRATIONS_DIR } from '@guise/server/db/migrate.ts';
import { createTestDatabase } from '@guise/server/db/test-database.ts';

const SCHEMA_FILE = path.join(MIGRATIONS_DIR, 'schema.sql');
const HEADER = '-- Made by `npm run schema` from the migrations, for reading. Do not edit.\n';

interface Table {
  readonly oid: number;
  readonly name: string;
  readonly options: string[] | null;
}

async function dumpSchema(pool: pg.Pool): Promise<string> {
  const tables = await pool.query<Table>(
    `select oid, relname as name, reloptions as options from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'schema\\_migration%'
     order by relname`,
  );
  const parts = [HEADER];
  for (const table of tables.rows) parts.push(await dumpTable(pool, table));
  const views = await pool.query<{ text: string }>(
    `select format(E'create view %I as\n%s\n', relname, pg_get_viewdef(oid, true)) as text from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'v' order by relname`,
  );
  parts.push(...views.rows.map((view) => view.text));
  const functions = await pool.query<{ text: string }>(
    `select rtrim(replace(pg_get_functiondef(oid), ' public.', ' '), E'\n') || E';\n' as text from pg_proc
     where pronamespace = 'public'::regnamespace order by proname`,
  );
  parts.push(...functions.rows.map((each) => each.text));
  return parts.join('\n');
}

async function dumpTable(pool: pg.Pool, table: Table): Promise<string> {
  const columns = await lines(
    pool,
    `select format('%I %s', attname, format_type(atttypid, atttypmod))
       || case when attidentity = 'a' then ' generated always as identity' else '' end
       || coalesce(' default ' || pg_get_expr(adbin, adrelid), '')
       || case when attnotnull then ' not null' else '' end as line
     from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where attrelid = $1 and attnum > 0 and not attisdropped order by attnum`,
    table.oid,
  );
  // Not-null constraints have rows of their own from PostgreSQL 18 on; they are shown at their
  // columns.
  const constraints = await lines(
    pool,
    `select format('constraint %I %s', conname, pg_get_constraintdef(oid)) as line
     from pg_constraint where conrelid = $1 and contype <> 'n'
     order by position(contype::text in 'pufc'), conname`,
    table.oid,
  );
  const indexes = await lines(
    pool,
    `select replace(pg_get_indexdef(indexrelid), ' public.', ' ') || ';' as line
     from pg_index join pg_class on pg_class.oid = indexrelid
     where indrelid = $1 and not exists (select 1 from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
     order by relname`,
    table.oid,
  );
  const triggers = await lines(
    pool,
    `select replace(pg_get_triggerdef(oid), ' public.', ' ') || ';' as line
     from pg_trigger where tgrelid = $1 and not tgisinternal order by tgname`,
    table.oid,
  );
  const body = [...columns, ...constraints].map((line) => `  ${line}`).join(',\n');
  const options = table.options === null ? '' : ` with (${table.options.join(', ')})`;
  const tail = [...indexes, ...triggers].map((line) => `${line}\n`).join('');
  return `create table ${table.name} (\n${body}\n)${options};\n${tail}`;
}

async function lines(pool: pg.Pool, query: string, oid: number): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(query, [oid]);
  return rows.map((row) => row.line);
}

const test = await createTestDatabase();
let schema: string;
try {
  schema = await dumpSchema(test.db.pool);
} finally {
  await test.close();
}
if (process.argv.includes('--check')) {
  if (readFileSync(SCHEMA_FILE, 'utf8') !== schema) {
    console.error('migrations/schema.sql is not what the migrations make: run `npm run schema`.');
    process.exitCode = 1;
  }
} else {
  writeFileSync(SCHEMA_FILE, schema);
}
