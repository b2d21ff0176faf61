import { blockSums as plainBlockSums, type RoomLimits, roomOf as plainRoomOf } from '../plain/room.ts';
import { kernels } from '../wasm/kernels.ts';
import { copyIn, copyOut, fitsStage, reserve, reserveFor } from '../wasm/stage.ts';

export type { RoomLimits } from '../plain/room.ts';

/**
 * Returns by how much each sample of a square plane may be changed. Beside a sharp edge a change is
 * seen as on flat parts: so of the four parts that touch a sample, the one with the least detail
 * counts.
 * @param side at least 16, and a multiple of four
 */
export function roomOf(plane: Float32Array, side: number, limits: RoomLimits): Float32Array {
  const room = new Float32Array(plane.length);
  const { flat, detail, perDeviation, reach } = limits;
  const lineBytes = 4 * (side + 2 * reach + 8);
  if (!fitsStage(4 * plane.byteLength + lineBytes)) {
    plainRoomOf(plane, side, limits, room);
    return room;
  }
  const out = reserveFor(room);
  kernels().roomOf(
    copyIn(plane),
    side,
    reach,
    perDeviation,
    flat,
    detail,
    reserve(plane.byteLength),
    reserve(plane.byteLength),
    reserve(lineBytes),
    out,
  );
  copyOut(room, out);
  return room;
}

/**
 * Returns the sum over each block of 8 x 8 samples of a square plane.
 * @param side a multiple of 8
 */
export function blockSums(plane: Float32Array, side: number): Float32Array {
  const sums = new Float32Array((side / 8) ** 2);
  if (!fitsStage(plane.byteLength + sums.byteLength)) {
    plainBlockSums(plane, side, sums);
    return sums;
  }
  const out = reserveFor(sums);
  kernels().blockSums(copyIn(plane), side, out);
  copyOut(sums, out);
  return sums;
}
