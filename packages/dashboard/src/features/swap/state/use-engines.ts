import type { EngineDescription, EngineList } from '@guise/contract/engines.ts';
import { useEffect, useState } from 'react';
import { listEngines } from '../../../api/ai-tasks.ts';

/** Loads the engines of this account. null until they are known, and if they cannot be loaded. */
export function useEngines(): EngineList | null {
  const [list, setList] = useState<EngineList | null>(null);
  useEffect(() => {
    let isCurrent = true;
    listEngines().then(
      (loaded) => isCurrent && setList(loaded),
      // Without the list, swaps are made by the default engine.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, []);
  return list;
}

/** Returns the engine of a swap. @param id that was chosen; undefined: the default */
export function engineOf(list: EngineList | null, id: string | undefined): EngineDescription | undefined {
  return list?.engines.find((engine) => engine.id === (id ?? list.default));
}
