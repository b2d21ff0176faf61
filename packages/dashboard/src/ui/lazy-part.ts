import { type ComponentType, lazy } from 'react';

/**
 * Error for a part of the page that could not be loaded, because of the connection or because an
 * upgrade removed the file.
 */
export class PartNotLoaded extends Error {
  override readonly name = 'PartNotLoaded';
}

/** Makes a component that is loaded when it is first shown. `PartBoundary` handles a failure. */
export function lazyPart<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (cause) {
      throw new PartNotLoaded('A part of the page could not be loaded.', { cause });
    }
  });
}
