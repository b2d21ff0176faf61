/** `npm run openapi`: writes docs/openapi.json, what the service serves; `--check` only says whether it is current. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { API_DESCRIPTION } from '@guise/contract/ai-tasks/openapi.ts';

const FILE = path.resolve(import.meta.dirname, '../docs/openapi.json');
const current = `${JSON.stringify(API_DESCRIPTION, null, 2)}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(FILE, current);
} else if (readFileSync(FILE, 'utf8') !== current) {
  console.error('docs/openapi.json is out of date: run `npm run openapi`');
  process.exitCode = 1;
}
