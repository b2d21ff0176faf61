/**
 * Program for a test that kills it: starts a scripted engine with a job that never ends, sends its
 * process id, and waits.
 */
import path from 'node:path';
import { EngineProcess } from '../parent/engine-process.ts';
import { BLANK_SIGNER } from '../protocol/blank-signer.ts';

const engine = new EngineProcess({
  modelCacheDir: '',
  currentSigner: () => BLANK_SIGNER,
  user: null,
  script: path.join(import.meta.dirname, 'scripted-engine.ts'),
});
await engine.whenReady();
const pid = engine.pid;
await engine.run(
  {
    kind: 'swap-image',
    sourcePath: 'hang',
    targetPath: '',
    outputPath: '',
    options: { restore: { faceRestoreVisibility: 1, restoreVisibility: 1 } },
    maxPixels: 1,
  },
  { onProgress: () => process.send?.(pid) },
);
