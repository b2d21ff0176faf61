import { after } from 'node:test';
import { ensureModels } from '../ensure-models.ts';
import { openSessions } from '../sessions.ts';
import { TEST_MODELS } from './test-models.ts';

/** Open networks, which all tests of one process share. */
export const sessions = await openSessions(await ensureModels(TEST_MODELS));
after(() => sessions.close());
