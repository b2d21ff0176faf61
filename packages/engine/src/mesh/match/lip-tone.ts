import { clamp } from '@guise/kernels/clamp.ts';
import type { TargetFace } from '../target/target-face.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import type { AtlasColours } from '../uv/atlas.ts';
import { lipMasks } from '../uv/lip-masks.ts';

/** Shares of the way to the target's lips: luma, which shows their shape, blue and red. */
const TONE_SHARES = [0.35, 0.7, 0.7] as const;
/** Levels of luma, blue and red that a tone goes at most: further off, it is lipstick. */
const MOST_STEP_LEVELS = [45, 5, 18] as const;
/** Coverage by what lies in front over which a texel of the target's lips does not count. */
const MAX_FRONT = 0.1;
/** Texels of them that have to be seen, or they tell nothing. */
const MIN_TEXEL_COUNT = 40;
/**
 * Adds to luma and colour differences, coarse planes, what brings a lightened face's lips towards
 * the tone of the target's: brown lips are little redder than brown skin, and grey on a light one.
 *
 * @param small the lit face in a coarse atlas @param share 0..1: how much of it is done
 */
export function addLipTone(
  offsets: readonly Float32Array[],
  small: AtlasColours,
  target: Pick<TargetFace, 'small' | 'front'>,
  share: number,
  coarseLayout: AtlasLayout,
): void {
  const { texels, soft } = lipMasks(coarseLayout);
  const seen = texels.filter((i) => target.front[i]! <= MAX_FRONT);
  if (seen.length < MIN_TEXEL_COUNT) return;
  const own = [small.luma, small.blue, small.red];
  const wanted = [target.small.luma, target.small.blue, target.small.red];
  for (const [k, plane] of offsets.entries()) {
    const most = MOST_STEP_LEVELS[k]!;
    const step = clamp(meanAt(wanted[k]!, seen) - meanAt(own[k]!, seen), -most, most);
    for (let i = 0; i < plane.length; i++) plane[i]! += share * TONE_SHARES[k]! * step * soft[i]!;
  }
}

function meanAt(plane: Float32Array, texels: readonly number[]): number {
  let sum = 0;
  for (const i of texels) sum += plane[i]!;
  return sum / texels.length;
}
