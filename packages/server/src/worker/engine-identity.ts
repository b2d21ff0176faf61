import type { EngineInfo } from '@guise/engine-host/protocol/engine-job.ts';

/**
 * Returns the name by which parts ask for an engine: workers of one name make the same pixels of
 * the same order, so that the outputs of one task are of one kind.
 */
export function engineIdentity({ name, version }: EngineInfo): string {
  return `${name} ${version}`;
}
