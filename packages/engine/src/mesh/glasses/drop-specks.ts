import type { GlassesBand } from './glasses-band.ts';

/** Least width or height of a piece of glasses, sides: anything smaller is a fold or a hair. */
const MIN_EXTENT_SIDES = 1 / 12;

/** Takes pieces out of a plane of the band that hang together with too little, in place. */
export function dropSpecks(kept: Float32Array, { side }: GlassesBand): void {
  const isKnown = new Uint8Array(kept.length);
  const queue = new Int32Array(kept.length);
  const steps = [-1, 1, -side, side, -side - 1, -side + 1, side - 1, side + 1];
  for (let start = 0; start < kept.length; start++) {
    if (kept[start] === 0 || isKnown[start] === 1) continue;
    let left = side;
    let right = 0;
    let tail = 0;
    queue[tail++] = start;
    isKnown[start] = 1;
    for (let head = 0; head < tail; head++) {
      const cell = queue[head]!;
      left = Math.min(left, cell % side);
      right = Math.max(right, cell % side);
      for (const step of steps) {
        const next = cell + step;
        if (next < 0 || next >= kept.length || kept[next] === 0 || isKnown[next] === 1) continue;
        isKnown[next] = 1;
        queue[tail++] = next;
      }
    }
    const piece = queue.subarray(0, tail);
    const height = Math.floor(piece.reduce((most, cell) => Math.max(most, cell)) / side - start / side);
    if (Math.max(right - left, height) >= MIN_EXTENT_SIDES * side) continue;
    for (const cell of piece) kept[cell] = 0;
  }
}
