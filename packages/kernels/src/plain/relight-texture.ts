import type { RelightShares } from '../relight.ts';
import type { TextureLight, TextureNumbers, TextureSource } from '../relight-texture.ts';
import { enlargedRow } from './plane-scale.ts';
import { clamp } from '../clamp.ts';

/** See ../relight-texture.ts. */
export function relightTexture(
  source: TextureSource,
  { side: lightSide, light, facing }: TextureLight,
  numbers: TextureNumbers,
  shares: RelightShares,
  occluded: Float32Array,
  wanted: Float32Array,
  texels: Float32Array,
): void {
  const { side, from, to, mask, features, steps, perLight, ownBlue, ownRed } = source;
  const { opacity, colour, ease, silhouette, inner, lumaGain, skippedBands } = numbers;
  const { darkFloor, skinKnee, featureKnee, darkening, brightening, shoulder } = shares;
  const { leastChroma, mostChroma, leastOffset, mostOffset } = shares;
  const [lumaOffset, blueOffset, redOffset] = numbers.offset;
  const [yb, yr, bb, br, rb, rr] = numbers.mixed as [number, number, number, number, number, number];
  const factor = side / lightSide;
  const colours = 2 * side * side;
  const [toLuma, toBlue, toRed, facingRow] = [0, 1, 2, 3].map(() => new Float32Array(side)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  for (let y = 0; y < side; y++) {
    if (to[y] === 0 || ((y >> 4) & 1) === skippedBands) continue;
    enlargedRow(light.luma, lightSide, factor, y, toLuma);
    enlargedRow(light.blue, lightSide, factor, y, toBlue);
    enlargedRow(light.red, lightSide, factor, y, toRed);
    enlargedRow(facing, lightSide, factor, y, facingRow);
    for (let x = from[y]!, i = y * side + x; x < to[y]!; x++, i++) {
      const own = mask[i]!;
      if (own <= 0) continue;
      const cover = occluded[i]! + ease * (wanted[i]! - occluded[i]!);
      occluded[i] = cover;
      const edge = clamp((facingRow[x]! - silhouette) / (inner - silhouette), 0, 1);
      const base = toLuma[x]!;
      const gain = (base + darkFloor) * perLight[i]!;
      const step = steps[i]!;
      let value: number;
      if (step < 0) {
        const feature = features[i]!;
        const knee = skinKnee + (featureKnee - skinKnee) * feature;
        value = base + step * (gain < knee ? gain : knee + darkening * feature * (gain - knee));
      } else value = base + step * (gain < 1 ? gain : 1 + brightening * (gain - 1));
      if (value > shoulder)
        value = shoulder + (255 - shoulder) * (1 - Math.exp((shoulder - value) / (255 - shoulder)));
      else if (value < 0) value = 0;
      const shade = clamp(value / (base + 1), leastChroma, mostChroma);
      const offset = colour * clamp(gain, leastOffset, mostOffset);
      const b = toBlue[x]! * shade + ownBlue[i]! * offset;
      const r = toRed[x]! * shade + ownRed[i]! * offset;
      texels[2 * i] = lumaOffset + lumaGain * value + yb * b + yr * r;
      texels[colours + 2 * i] = blueOffset + bb * b + br * r;
      texels[colours + 2 * i + 1] = redOffset + rb * b + rr * r;
      texels[2 * i + 1] = opacity * own * (1 - cover) * edge * edge * (3 - 2 * edge);
    }
  }
}
