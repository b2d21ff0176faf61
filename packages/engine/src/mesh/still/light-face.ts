import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import { relight } from '../match/compose.ts';
import type { RestoreOptions } from '@guise/contract/work.ts';
import { lightEyes } from '../match/light-eyes.ts';
import { lightGain } from '../match/lightened-share.ts';
import { matchTone } from '../match/tone.ts';
import { mixLight } from '../skin/light.ts';
import { addToAll } from '../skin/veil.ts';
import { detailedAtlas } from '../source/detailed-atlas.ts';
import type { SourceFace } from '../source/source-face.ts';
import type { TargetFace } from '../target/target-face.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';

/**
 * Gives the source's face, its detail strengthened, the target's light and tone.
 * @param lightened see `lightenedShare` @param eyes see `measurableEyes` @returns a new atlas
 */
export function lightFace(
  source: SourceFace,
  target: TargetFace,
  lightened: number,
  eyes: number,
  layout: AtlasLayout,
  { faceRestoreVisibility, restoreVisibility }: RestoreOptions,
  make: PlaneMaker,
): Atlas {
  const light = mixLight(target.broad, target.light, restoreVisibility, make);
  const atlas = detailedAtlas(source, layout, faceRestoreVisibility, make);
  const lit = relight(atlas, source.light, light, target.colour, layout, make);
  matchTone(lit, target, light, restoreVisibility, lightened, layout, make);
  if (target.veil > 0) addToAll(lit.luma, target.veil);
  const gain = lightGain(source.light, light, layout.at(COARSE_SIDE));
  lightEyes(lit, atlas, target, gain, restoreVisibility * eyes, layout);
  return lit;
}
