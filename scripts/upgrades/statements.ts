import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';

/** Matches what PREPARE takes; the rest names no column. */
const PREPARABLE = /^\s*(?:select|insert|update|delete|with|values|merge)\b/i;

/** Matches rows of parameters after the first, of which each number makes a text of its own. */
const FURTHER_ROWS = /(\((?:\$\d+(?:, )?)+\))(?:, \((?:\$\d+(?:, )?)+\))+/g;

/** Reads what `record-statements.ts` wrote into a folder: each statement once, in a fixed order. */
export function readRecorded(folder: string): string[] {
  const texts = readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => readFileSync(path.join(folder, file), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as string)
    .filter((text) => PREPARABLE.test(text))
    .map((text) => oneLine(text).replaceAll(FURTHER_ROWS, '$1'));
  return [...new Set(texts)].sort();
}

/** A statement that the schema does not take, and why. */
export interface RefusedStatement {
  readonly statement: string;
  readonly reason: string;
}

/** Returns the statements that a database cannot plan, such as of a column that is gone. */
export async function findRefused(pool: pg.Pool, statements: readonly string[]): Promise<RefusedStatement[]> {
  const client = await pool.connect();
  const refused: RefusedStatement[] = [];
  try {
    for (const statement of statements) {
      try {
        await client.query(`prepare asked as ${statement}`);
        await client.query('deallocate asked');
      } catch (error) {
        refused.push({ statement, reason: (error as Error).message });
      }
    }
  } finally {
    client.release();
  }
  return refused;
}

/** Puts a statement on one line, unless a comment in it needs its end. */
function oneLine(text: string): string {
  return text.includes('--') ? text.trim() : text.trim().replaceAll(/\s*\n\s*/g, ' ');
}
