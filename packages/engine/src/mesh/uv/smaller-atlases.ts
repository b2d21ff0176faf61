import { shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { Atlas } from './atlas.ts';

/**
 * Smaller copies of an atlas that several steps read. Each is made once, until the atlas changes.
 */
export class SmallerAtlases {
  readonly #atlas: Atlas;
  readonly #make: PlaneMaker;
  readonly #copies = new Map<string, Float32Array>();

  constructor(atlas: Atlas, make: PlaneMaker) {
    this.#atlas = atlas;
    this.#make = make;
  }

  /**
   * Returns a copy, shrunk to a power of two up to the atlas's side. The copy must not be written
   * to.
   */
  at(side: number): Atlas {
    return {
      side,
      luma: this.plane('luma', side),
      blue: this.plane('blue', side),
      red: this.plane('red', side),
      facing: this.plane('facing', side),
    };
  }

  /** Returns one plane of `at(side)`. */
  plane(name: 'luma' | 'blue' | 'red' | 'facing', side: number): Float32Array {
    const key = `${name} ${side}`;
    const known = this.#copies.get(key);
    if (known) return known;
    const { side: whole, [name]: plane } = this.#atlas;
    const from = side * 2 >= whole ? plane : this.plane(name, 2 * side);
    // The plane is copied even if nothing is shrunk, because the copy must keep the atlas as it
    // was.
    const copy = shrinkSquare(from, Math.min(whole, 2 * side), side, this.#make.uninitialised(side * side));
    this.#copies.set(key, copy);
    return copy;
  }

  /** Forgets all copies. Call it after every change of the atlas. */
  forget(): void {
    this.#copies.clear();
  }
}
