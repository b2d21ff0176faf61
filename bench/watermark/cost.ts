import { addWatermark } from '@guise/media/watermark/add-watermark.ts';
import { round } from '../report/figures.ts';
import { nextRandom, randomId } from './random.ts';

/** Sizes of the pictures, megapixels. */
const MEGAPIXELS = [1, 4, 12];
/** Number of marks, of which the first ones only warm up, and how many of these there are. */
const [MARKS, WARM_UP] = [60, 20];

/** Measures the CPU time of marking a photo, milliseconds, by its size. */
export function benchCost(): object {
  return Object.fromEntries(
    MEGAPIXELS.map((megapixels) => [`${megapixels} MP, CPU ms`, round(millisecondsOf(1e6 * megapixels))]),
  );
}

function millisecondsOf(pixels: number): number {
  const side = Math.round(Math.sqrt(pixels));
  const data = Uint8Array.from({ length: 3 * side * side }, () => 256 * nextRandom());
  const samples = { data, width: side, height: side, stride: 3 * side, channels: 3 } as const;
  const id = randomId();
  for (let k = 0; k < WARM_UP; k++) addWatermark(samples, id);
  const before = process.cpuUsage();
  for (let k = WARM_UP; k < MARKS; k++) addWatermark(samples, id);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / (MARKS - WARM_UP);
}
