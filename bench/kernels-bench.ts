import type { ArrayMaker } from '@guise/kernels/testing/kernel-case.ts';
import { kernelCases } from '@guise/kernels/testing/kernel-cases.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { round, type Figure } from './report/figures.ts';

export interface KernelFigures {
  /**
   * Bandwidth of copying a plane of the measured size, reads and writes together. It is the limit
   * that the caches set.
   */
  readonly copyGigabytesPerSecond: number;
  readonly kernels: Record<string, KernelFigure>;
}

export interface KernelFigure {
  /** Time per pixel if the arrays are in the kernels' memory. */
  readonly nsPerPixel: number;
  /** Time per pixel if ordinary arrays are copied into that memory and back. */
  readonly copiedNsPerPixel: number;
  /** Speed relative to the reference version in plain TypeScript, without copies. */
  readonly overReference: number;
  readonly copiedOverReference: number;
  /** Bandwidth of the kernel's necessary reads and writes, as a share of the copying bandwidth. */
  readonly shareOfBandwidth: number;
}

const SIDE = 512;
/** Side of the square planes that are enlarged, by up to eight times. */
const SMALL_SIDE = 128;
const ROUNDS = 25;

/**
 * Measures each kernel on planes and images of 512 x 512 with one thread. The kernel and its
 * reference version run alternately; the shortest of many rounds counts.
 */
function benchKernels(): KernelFigures {
  const workspace = new Workspace();
  const ordinary: ArrayMaker = {
    floats: (count) => new Float32Array(count),
    bytes: (count) => new Uint8Array(count),
  };
  const copyGigabytesPerSecond = copyBandwidth();
  const inPlace = kernelCases(workspace, SIDE, SIDE, SMALL_SIDE);
  const copied = kernelCases(ordinary, SIDE, SIDE, SMALL_SIDE);
  const kernels: Record<string, KernelFigure> = {};
  for (const [k, each] of inPlace.entries()) {
    const [kernelMs, copiedMs, referenceMs] = bestOf([each.kernel, copied[k]!.kernel, copied[k]!.reference]);
    const bytesPerSecond = (1000 * each.bytes) / kernelMs!;
    kernels[each.name] = {
      nsPerPixel: round((1e6 * kernelMs!) / each.pixels),
      copiedNsPerPixel: round((1e6 * copiedMs!) / each.pixels),
      overReference: round(referenceMs! / kernelMs!),
      copiedOverReference: round(referenceMs! / copiedMs!),
      shareOfBandwidth: round(bytesPerSecond / (1e9 * copyGigabytesPerSecond)),
    };
  }
  workspace.release();
  return { copyGigabytesPerSecond, kernels };
}

/** Returns three figures for each kernel, and the bandwidth to which they are compared. */
export function kernelFigures(): Figure[] {
  const { copyGigabytesPerSecond, kernels } = benchKernels();
  return [
    ...Object.entries(kernels).flatMap(
      ([name, { overReference, nsPerPixel, shareOfBandwidth }]): Figure[] => [
        { name: `${name}, over twin`, value: overReference, unit: 'x', ...goalOf(name) },
        { name: `${name}, a pixel`, value: nsPerPixel, unit: 'ns' },
        { name: `${name}, of copying's bandwidth`, value: Math.round(100 * shareOfBandwidth), unit: '%' },
      ],
    ),
    { name: 'copying', value: copyGigabytesPerSecond, unit: 'GB/s' },
  ];
}

function goalOf(kernel: string): Pick<Figure, 'goal'> {
  if (/blur|composite/i.test(kernel)) return { goal: { atLeast: 4 } };
  return /warp/i.test(kernel) ? { goal: { atLeast: 2 } } : {};
}

/**
 * Returns the shortest time of each run in milliseconds. The runs alternate, so that a busy moment
 * of the machine affects all of them.
 */
function bestOf(runs: readonly (() => unknown)[]): number[] {
  const best = runs.map(() => Infinity);
  for (let turn = 0; turn < ROUNDS; turn++) {
    for (const [k, run] of runs.entries()) {
      const since = performance.now();
      run();
      best[k] = Math.min(best[k]!, performance.now() - since);
    }
  }
  return best;
}

function copyBandwidth(): number {
  const from = new Float32Array(SIDE * SIDE).fill(1);
  const to = new Float32Array(SIDE * SIDE).fill(2);
  const [copyMs] = bestOf([() => to.set(from)]);
  return round((2 * from.byteLength) / 1e6 / copyMs!);
}
