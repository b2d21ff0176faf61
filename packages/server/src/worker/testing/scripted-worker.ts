import { createSecretKey } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import { BLANK_SIGNER } from '@guise/engine-host/protocol/blank-signer.ts';
import type { SecretRing } from '../../db/installation-secrets.ts';
import type { WorkerSettings } from '../work/worker-options.ts';

/** Settings of workers in tests, except for the end of tasks. */
export const TEST_SETTINGS: Omit<WorkerSettings, 'ending'> = {
  taskDeadlineMs: 600_000,
  outputLifetimeMs: 86_400_000,
  maxPixels: 100_000_000,
  label: 'on-request',
  watermark: false,
  workersAreGone: false,
  serverPatienceMs: 600_000,
  shutdownGraceMs: 20,
  spareStartMs: 600_000,
};

/** Secret of all workers in tests. */
const KEY = createSecretKey(Buffer.alloc(32, 7));

export const TEST_SECRET: SecretRing = { signing: () => KEY, accepted: () => [KEY] };

/**
 * Starts an engine that follows the instructions in the source of a job. @param version such as
 * `version-2`; @param startsOnDemand whether it starts only when a slot needs it
 */
export function scriptedEngine(version = '', startsOnDemand = false): EngineProcess {
  return new EngineProcess({
    modelCacheDir: version,
    startsOnDemand,
    currentSigner: () => BLANK_SIGNER,
    user: null,
    script: fileURLToPath(import.meta.resolve('@guise/engine-host/testing/scripted-engine.ts')),
    abortGraceMs: 20,
  });
}
