import { type ComponentType, lazy } from 'react';

/** Failure to load a part of the page: the connection was away, or an upgrade took the file. */
export class PartNotLoaded extends Error {
  override readonly name = 'PartNotLoaded';
}

/** Makes a component that is loaded when it is first shown; `PartBoundary` catches its failure. */
export function lazyPart<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (cause) {
      throw new PartNotLoaded('A part of the page could not be loaded.', { cause });
    }
  });
}
