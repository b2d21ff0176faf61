/**
 * The code of a mark's bits: each bit of a message is told by three bits, which depend on the eight
 * bits before it, too (a tail-biting convolutional code of rate 1/3, Larsen 1973). So many wrong
 * bits are mended, and those that are less certain count less.
 */

/** Bits of a message on which a bit of the code depends, and what each of the three adds up. */
const [REACH, GENERATORS] = [9, [0o557, 0o663, 0o711]] as const;
/** Bits of the code for each bit of a message. */
export const RATE = GENERATORS.length;
/** Number of pasts that matter: all but the newest of the bits in reach. */
const STATES = 2 ** (REACH - 1);
/** Bits of the code for each content of the reach, as a number. */
const OUTPUTS = Uint8Array.from({ length: 2 * STATES }, (_, reach) =>
  GENERATORS.reduce((bits, generator) => (bits << 1) | parityOf(reach & generator), 0),
);
/** Times that a code is gone round, because its end is its beginning. The middle one counts. */
const ROUNDS = 3;

/** Returns the bits of the code of a message. */
export function encode(message: Uint8Array): Uint8Array {
  const code = new Uint8Array(RATE * message.length);
  let reach = message.slice(1 - REACH).reduce((bits, bit) => (bits << 1) | bit, 0);
  for (const [k, bit] of message.entries()) {
    reach = ((reach << 1) | bit) & (2 * STATES - 1);
    for (let out = 0; out < RATE; out++) code[RATE * k + out] = (OUTPUTS[reach]! >> (RATE - 1 - out)) & 1;
  }
  return code;
}

/**
 * Returns the message whose code agrees best with soft bits (Viterbi, 1967).
 * @param soft above 0 for 1, below for 0, and the farther the more certain
 */
export function decode(soft: Float64Array): Uint8Array {
  const length = soft.length / RATE;
  // For each place and state, the bit that leaves the reach when the state is entered.
  const left = new Uint8Array(ROUNDS * length * STATES);
  let [before, after] = [new Float64Array(STATES), new Float64Array(STATES)];
  const gains = new Float64Array(2 ** RATE);
  for (let place = 0; place < ROUNDS * length; place++) {
    const first = RATE * (place % length);
    for (let bits = 0; bits < gains.length; bits++) {
      gains[bits] = 0;
      for (let out = 0; out < RATE; out++)
        gains[bits]! += (bits >> (RATE - 1 - out)) & 1 ? soft[first + out]! : -soft[first + out]!;
    }
    for (let state = 0; state < STATES; state++) {
      const from = state >> 1;
      const zero = before[from]! + gains[OUTPUTS[state]!]!;
      const one = before[from + STATES / 2]! + gains[OUTPUTS[state + STATES]!]!;
      after[state] = Math.max(zero, one);
      left[place * STATES + state] = one > zero ? 1 : 0;
    }
    [before, after] = [after, before];
  }
  let state = before.indexOf(before.reduce((most, value) => Math.max(most, value)));
  const message = new Uint8Array(length);
  for (let place = ROUNDS * length - 1; place >= length; place--) {
    if (place < 2 * length) message[place - length] = state & 1;
    state = (state >> 1) + (left[place * STATES + state]! * STATES) / 2;
  }
  return message;
}

function parityOf(bits: number): number {
  let parity = 0;
  for (let rest = bits; rest > 0; rest &= rest - 1) parity ^= 1;
  return parity;
}
