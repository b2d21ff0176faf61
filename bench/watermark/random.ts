/** Random numbers of the bench, the same in every run. */
let state = 1;

/** Returns a number from 0 up to 1. */
export function nextRandom(): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return state / 2 ** 32;
}

/** Returns six random bytes. */
export function randomId(): Uint8Array {
  return Uint8Array.from({ length: 6 }, () => Math.floor(256 * nextRandom()));
}
