import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Warning } from '@guise/contract/ai-tasks/schemas.ts';
import { joinWarnings } from './join-warnings.ts';

const warning = (field: string, code: Warning['code'], role: 'source' | 'target'): Warning => ({
  field,
  code,
  role,
  message: `${field} ${code}`,
});

test('what several items say of the photo that they share is said once', () => {
  const glasses = warning('sourceImages[0]', 'GLASSES', 'source');
  const small = warning('targetImages[0]', 'SMALL_FACE', 'target');
  const other = warning('targetImages[1]', 'SMALL_FACE', 'target');
  const joined = joinWarnings([glasses, small], [{ ...glasses }, other]);
  assert.deepEqual(joined, [glasses, small, other]);
});
