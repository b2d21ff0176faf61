import type { Atlas } from '../../packages/engine/src/mesh/uv/atlas.ts';
import type { AtlasLayout } from '../../packages/engine/src/mesh/uv/atlas-layout.ts';
import { beardlessCore, perLayout } from '../../packages/engine/src/mesh/uv/atlas-layout.ts';
import { filledRings } from '../../packages/engine/src/mesh/uv/atlas-outline.ts';
import { midlineDistance } from '../../packages/engine/src/mesh/uv/texel.ts';
import { type FacePair, meanOf, seenTexels } from './face-pair.ts';

/** Outline of the tip of the nose, from wing to wing. */
const TIP = [98, 97, 2, 326, 327, 278, 279, 360, 440, 275, 4, 45, 220, 115, 48] as const;
/** Luma to which colour differences are scaled, because they are smaller in dim light. */
const USUAL_LUMA = 150;
/** Distance from the midline at which the cheeks begin, as a share of the side. */
const CHEEK_ASIDE = 0.1;

/** The zones of the nose's tip without the nostrils, and of the cheeks. */
const zonesOf = perLayout((layout: AtlasLayout) => {
  const { side, points, nostrils } = layout;
  return {
    tip: filledRings(points, side, [TIP]).map((inside, i) => inside * (1 - nostrils[i]!)),
    cheeks: beardlessCore(layout).map((bare, i) => (midlineDistance(i, side) > CHEEK_ASIDE ? bare : 0)),
  };
});

/**
 * Measures the colour difference between the nose's tip and the cheeks, compared with the target's,
 * in levels at a usual luma. It is large if the nose is orange, white or grey.
 */
export function noseColourStep(pair: FacePair): number {
  const { tip, cheeks } = zonesOf(pair.layout);
  const [tipTexels, cheekTexels] = [seenTexels(pair, tip), seenTexels(pair, cheeks)];
  const stepOf = (atlas: Atlas): Colour => {
    const [ofTip, ofCheeks] = [colourOf(atlas, tipTexels), colourOf(atlas, cheekTexels)];
    return { blue: ofTip.blue - ofCheeks.blue, red: ofTip.red - ofCheeks.red };
  };
  const [output, target] = [stepOf(pair.output), stepOf(pair.target)];
  return Math.hypot(output.blue - target.blue, output.red - target.red);
}

interface Colour {
  readonly blue: number;
  readonly red: number;
}

function colourOf({ luma, blue, red }: Atlas, texels: readonly number[]): Colour {
  const light = meanOf(texels.map((i) => luma[i]!)) / USUAL_LUMA;
  return {
    blue: meanOf(texels.map((i) => blue[i]!)) / light,
    red: meanOf(texels.map((i) => red[i]!)) / light,
  };
}
