import { after } from 'node:test';
import { TEST_MODELS } from '../../models/testing/test-models.ts';
import { createEngine } from '../engine.ts';

/** An engine, which all tests of one process share. */
export const engine = await createEngine({ modelCacheDir: TEST_MODELS });
after(() => engine.close());
