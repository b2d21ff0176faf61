import { clamp } from '@guise/kernels/clamp.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { lumaOf } from '@guise/kernels/luma.ts';
import { affineToAtlas, eyeOf } from '../match/eye.ts';
import type { IrisColour } from '../match/iris-ring.ts';
import {
  GLINT_LUMA,
  IRIS_COLOUR_SHARE,
  likelyColour,
  RING_INNER,
  RING_OUTER,
  SEEN_OPENING,
} from '../match/iris-ring.ts';
import { atlasRgb } from '../uv/atlas-rgb.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { EYES } from '../uv/face-regions.ts';

/** Depth in the eye. 0 at `from`: the lids' edges begin; 1 at `to`: an iris is fully tinted. */
const EYE_DEPTH: Ramp = { from: 0.5, to: 0.75 };
/**
 * Radius of an iris, pixels. 0 at `from`: it would become a dark disc; 1 at `to`: it shows a
 * colour.
 */
const TINTED_RADIUS_PX: Ramp = { from: 2, to: 3 };

/**
 * Gives eyes that stay as the photo shows them the colour of the source's irises, in place: adds
 * the difference of both irises to each ring, and keeps its pattern and reflections.
 * @param own the target's irises @param wanted the source's, lit
 * @param landmarks 478 x (x, y, z) of the target
 */
export function tintKeptIrises(
  { data, width, height }: RgbImage,
  own: IrisColour,
  wanted: IrisColour,
  layout: AtlasLayout,
  landmarks: Float32Array,
): void {
  const { side, softEyes } = layout;
  const [luma, blue, red] = likelyColour(wanted, own).map(
    (value, k) => IRIS_COLOUR_SHARE * (value - own[k]!),
  ) as [number, number, number];
  const by = atlasRgb(luma, blue, red);
  // Both eyes or neither: nobody has one brown and one blue eye.
  const seen = Math.min(
    ...EYES.map((shape) => eyeOf(landmarks, shape)).map(
      ({ opening, radius }) => ramp(SEEN_OPENING, opening) * ramp(TINTED_RADIUS_PX, radius),
    ),
  );
  if (seen === 0) return;
  for (const shape of EYES) {
    const eye = eyeOf(landmarks, shape);
    const [a, b, c, d, e, f] = affineToAtlas(landmarks, layout.points, shape.ring);
    const reach = RING_OUTER.to * eye.radius;
    const right = Math.min(width, Math.ceil(eye.x + reach));
    const bottom = Math.min(height, Math.ceil(eye.y + reach));
    for (let y = Math.max(0, Math.floor(eye.y - reach)); y < bottom; y++) {
      for (let x = Math.max(0, Math.floor(eye.x - reach)); x < right; x++) {
        const distance = Math.hypot(x + 0.5 - eye.x, y + 0.5 - eye.y) / eye.radius;
        const ring = ramp(RING_INNER, distance) * (1 - ramp(RING_OUTER, distance));
        if (ring === 0) continue;
        const u = Math.floor(a * (x + 0.5) + b * (y + 0.5) + c);
        const v = Math.floor(d * (x + 0.5) + e * (y + 0.5) + f);
        const at = 3 * (y * width + x);
        const before = lumaOf(data[at]!, data[at + 1]!, data[at + 2]!);
        const reflection = ramp(GLINT_LUMA, before - own[0]);
        const share = seen * ring * (1 - reflection) * ramp(EYE_DEPTH, softEyes[v * side + u] ?? 0);
        for (let k = 0; k < 3; k++) data[at + k] = clamp(Math.round(data[at + k]! + share * by[k]!), 0, 255);
      }
    }
  }
}
