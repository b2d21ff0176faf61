import { useSyncExternalStore } from 'react';

/** A value that is kept outside of the pages, so that it survives a visit of another page. */
export class Store<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  readonly get = (): T => this.#value;

  set(value: T): void {
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  /** Returns the value, and draws the component again when it changes. */
  use(): T {
    return useSyncExternalStore(this.#subscribe, this.get);
  }

  readonly #subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
