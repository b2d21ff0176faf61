import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import type { Atlas } from '../uv/atlas.ts';
import { EYES } from '../uv/face-regions.ts';
import { eyeOf } from './eye.ts';
import type { IrisColour } from './iris-ring.ts';
import {
  GLINT_LUMA,
  IRIS_COLOUR_SHARE,
  irisPlaces,
  irisTexels,
  meanColour,
  RING_INNER,
  RING_OUTER,
  SEEN_OPENING,
} from './iris-ring.ts';

/**
 * Depth in the eye. 0 at `from`, at the edges of the lids; 1 at `to`, where an iris is fully
 * tinted.
 */
const EYE_DEPTH: Ramp = { from: 0.5, to: 0.75 };

/**
 * Gives the colour of the source's irises to the parts of the target's own eyes that stay. Adds the
 * difference of both irises' colours to the ring between pupil and rim, which keeps its pattern,
 * shade and reflections. Changes the lit face and the opacity of its eyes (see `followGaze`) in
 * place.
 * @param target the target's atlas, with the veil @param wanted the source's irises, lit
 * @param landmarks 478 x (x, y, z) of the target
 */
export function tintIrises(
  lit: Atlas,
  shown: Float32Array,
  target: Atlas,
  wanted: IrisColour,
  layout: AtlasLayout,
  landmarks: Float32Array,
): void {
  const own = meanColour(target, irisTexels(layout, landmarks));
  if (own === null) return;
  const [luma, blue, red] = wanted.map((value, k) => IRIS_COLOUR_SHARE * (value - own[k]!)) as [
    number,
    number,
    number,
  ];
  for (const eye of EYES) {
    const seen = ramp(SEEN_OPENING, eyeOf(landmarks, eye).opening);
    for (const { texel, distance } of irisPlaces(layout, landmarks, eye)) {
      const source = shown[texel]!;
      const before = target.luma[texel]!;
      const reflection = ramp(GLINT_LUMA, before - own[0]);
      const ring = ramp(RING_INNER, distance) * (1 - ramp(RING_OUTER, distance));
      const tinted = (1 - source) * seen * ring * (1 - reflection) * ramp(EYE_DEPTH, layout.softEyes[texel]!);
      if (tinted === 0) continue;
      const share = tinted / (source + tinted);
      shown[texel] = source + tinted;
      lit.luma[texel]! += share * (before + luma - lit.luma[texel]!);
      lit.blue[texel]! += share * (target.blue[texel]! + blue - lit.blue[texel]!);
      lit.red[texel]! += share * (target.red[texel]! + red - lit.red[texel]!);
    }
  }
}
