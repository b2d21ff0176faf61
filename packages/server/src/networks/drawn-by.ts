import type { EngineInfo } from '@guise/engine-host/protocol/engine-job.ts';
import { partsOfKey } from './network-key.ts';

/**
 * Names what draws faces, for receipts and signatures.
 * @param engine the built-in engine
 * @param swapper key of the network that draws; undefined if the mesh does
 */
export function drawnBy(engine: EngineInfo, swapper: string | undefined): EngineInfo {
  if (swapper === undefined) return engine;
  const { id, digest } = partsOfKey(swapper);
  return { name: id, version: `${engine.version}.${digest}` };
}
