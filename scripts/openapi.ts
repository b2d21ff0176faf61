/**
 * `npm run openapi`: writes docs/openapi*.json, which the service serves; `--check` only checks
 * that they are current.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { API_DESCRIPTION } from '@guise/contract/ai-tasks/openapi.ts';
import { V1_DESCRIPTION } from '@guise/contract/v1/openapi.ts';

const DOCS = path.resolve(import.meta.dirname, '../docs');

for (const [name, description] of [
  ['openapi.json', API_DESCRIPTION],
  ['openapi-v1.json', V1_DESCRIPTION],
] as const) {
  const file = path.join(DOCS, name);
  const current = `${JSON.stringify(description, null, 2)}\n`;
  if (!process.argv.includes('--check')) {
    writeFileSync(file, current);
  } else if (readFileSync(file, 'utf8') !== current) {
    console.error(`docs/${name} is out of date: run \`npm run openapi\``);
    process.exitCode = 1;
  }
}
