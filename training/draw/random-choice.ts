/** Random choices. */
export interface Choice {
  readonly between: (from: number, to: number) => number;
  readonly oneOf: <T>(things: readonly T[]) => T;
  /** Returns true with this probability. */
  readonly maybe: (probability: number) => boolean;
}

/** @param random returns numbers from 0 (included) to 1 (excluded) */
export function choiceBy(random: () => number): Choice {
  return {
    between: (from, to) => from + (to - from) * random(),
    oneOf: (things) => things[Math.floor(random() * things.length)]!,
    maybe: (probability) => random() < probability,
  };
}
