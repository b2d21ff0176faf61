import { clamp } from '@guise/kernels/clamp.ts';
import type { TargetFace } from '../target/target-face.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import type { AtlasColours } from '../uv/atlas.ts';
import { lipMasks } from '../uv/lip-masks.ts';
import { meanAt } from '../uv/texel.ts';

/**
 * Shares of the way to the target's lips in luma, blue and red. Luma has less because it shows the
 * lips' shape.
 */
const TONE_SHARES = [0.35, 0.7, 0.7] as const;
/** Largest step of a tone, in levels of luma, blue and red. Larger differences are lipstick. */
const MAX_STEP_LEVELS = [45, 5, 18] as const;
/** Coverage by things in front above which a texel of the target's lips does not count. */
const MAX_FRONT = 0.1;
/** Number of visible lip texels below which the target's lips are ignored. */
const MIN_TEXEL_COUNT = 40;
/**
 * Adds steps to luma and colour differences (coarse planes) that bring the lips of a lightened face
 * to the target's tone. Brown lips differ little in hue from brown skin, so they look grey on light
 * skin.
 * @param small the lit face in a coarse atlas
 * @param share 0..1 of the full step
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
    const most = MAX_STEP_LEVELS[k]!;
    const step = clamp(meanAt(wanted[k]!, seen) - meanAt(own[k]!, seen), -most, most);
    for (let i = 0; i < plane.length; i++) plane[i]! += share * TONE_SHARES[k]! * step * soft[i]!;
  }
}
