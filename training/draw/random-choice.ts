/** Choices by numbers from 0 up to 1. */
export interface Choice {
  readonly between: (from: number, to: number) => number;
  readonly oneOf: <T>(things: readonly T[]) => T;
  /** Says yes with this likelihood. */
  readonly maybe: (likelihood: number) => boolean;
}

export function choiceBy(random: () => number): Choice {
  return {
    between: (from, to) => from + (to - from) * random(),
    oneOf: (things) => things[Math.floor(random() * things.length)]!,
    maybe: (likelihood) => random() < likelihood,
  };
}
