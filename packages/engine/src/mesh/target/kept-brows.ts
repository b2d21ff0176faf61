import { shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import { ordinaryPlanes } from '@guise/kernels/workspace.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';

/** Height of the skin above and below a brow that is looked at, texels. */
const BESIDE_TEXELS = 3;
/** Share of that skin from which hair covers it. */
const MIN_COVERED_SHARE = 0.5;
/** Share of a brow's length from which all of it is behind hair. */
const MOST_OF_BROW_SHARE = 0.85;
/** Coverage by glasses from which the skin beside a brow tells nothing. */
const MIN_GLASSES_COVERAGE = 0.3;

/** Coverage from which a texel of a brow's outer end is behind the hair that hangs across it. */
const MIN_TAIL_COVERAGE = 0.5;

/** One column of a brow, and the bare skin above and below it: numbers of coarse texels. */
interface BrowColumn {
  readonly brow: readonly number[];
  readonly above: readonly number[];
  readonly below: readonly number[];
}

/** Columns of either brow. */
const browColumns = perLayout(({ features, browArea }: AtlasLayout): readonly BrowColumn[][] => {
  const isBrow = (i: number): boolean => features[i]! >= 0.5 && browArea[i]! > 0.5;
  const columnAt = (x: number): BrowColumn | null => {
    const brow = Array.from({ length: COARSE_SIDE }, (_, y) => y * COARSE_SIDE + x).filter(isBrow);
    if (brow.length === 0) return null;
    return { brow, above: texelsFrom(brow[0]!, -COARSE_SIDE), below: texelsFrom(brow.at(-1)!, COARSE_SIDE) };
  };
  const half = COARSE_SIDE / 2;
  return [0, half].map((from) =>
    Array.from({ length: half }, (_, x) => columnAt(from + x)).filter((column) => column !== null),
  );
});

/**
 * Decides which parts of the brows are behind hair: columns with hair above and below, all of a
 * brow where they are most of it, and outer ends that locks hang across. Rounds the brows of the
 * coarse plane `reached`, in place, as half of an old brow over a new one is seen at once.
 * @param glasses in the full atlas's size, or null: over a rim, only what is above a brow tells
 */
export function decideBrows(
  reached: Float32Array,
  layout: AtlasLayout,
  glasses: Float32Array | null,
  make: PlaneMaker = ordinaryPlanes,
): void {
  const worn =
    glasses &&
    shrinkSquare(glasses, Math.sqrt(glasses.length), COARSE_SIDE, make.uninitialised(reached.length));
  const isBehind = ({ above, below }: BrowColumn): boolean =>
    meanOf(reached, above) >= MIN_COVERED_SHARE &&
    (meanOf(reached, below) >= MIN_COVERED_SHARE ||
      (worn !== null && meanOf(worn, below) >= MIN_GLASSES_COVERAGE));
  const { browTails } = layout;
  for (const columns of browColumns(layout)) {
    const behind = columns.map(isBehind);
    const share = behind.filter(Boolean).length / columns.length;
    for (const [k, { brow }] of columns.entries()) {
      const isKept = share >= MOST_OF_BROW_SHARE || behind[k]!;
      for (const i of brow)
        reached[i] = isKept || (browTails[i]! >= 0.5 && reached[i]! >= MIN_TAIL_COVERAGE) ? 1 : 0;
    }
  }
}

/** Lists the texels beside one, in this step. */
function texelsFrom(texel: number, step: number): number[] {
  return Array.from({ length: BESIDE_TEXELS }, (_, k) => texel + (k + 1) * step);
}

function meanOf(plane: Float32Array, texels: readonly number[]): number {
  let sum = 0;
  for (const i of texels) sum += plane[i]!;
  return sum / texels.length;
}
