import type { Engine, Engines } from '@guise/client';
import { useEffect, useState } from 'react';
import { guise } from '../../../api/ai-tasks.ts';

/** Loads the engines of this account. null until they are known, and if they cannot be loaded. */
export function useEngines(): Engines | null {
  const [list, setList] = useState<Engines | null>(null);
  useEffect(() => {
    let isCurrent = true;
    guise.engines().then(
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
export function engineOf(list: Engines | null, id: string | undefined): Engine | undefined {
  return list?.engines.find((engine) => engine.id === (id ?? list.default));
}
