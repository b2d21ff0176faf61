/**
 * `npm run openapi`: writes docs/openapi*.json, which the service serves; `--check` only checks
 * that they are current.
 */
import { API_DESCRIPTION } from '@guise/contract/ai-tasks/openapi.ts';
import { V1_DESCRIPTION } from '@guise/contract/v1/openapi.ts';
import { writePage } from './generated-page.ts';

for (const [name, description] of [
  ['docs/openapi.json', API_DESCRIPTION],
  ['docs/openapi-v1.json', V1_DESCRIPTION],
] as const) {
  writePage(name, `${JSON.stringify(description, null, 2)}\n`, 'openapi');
}
