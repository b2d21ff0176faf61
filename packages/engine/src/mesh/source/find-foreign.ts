import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import { boxBlur, boxRadius } from '@guise/kernels/filter/box-blur.ts';
import { enlargeSquare, shrinkSquare } from '@guise/kernels/scale/plane-scale.ts';
import type { PlaneMaker } from '@guise/kernels/workspace.ts';
import type { RegionMasks } from '../uv/region-masks.ts';
import type { Atlas } from '../uv/atlas.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { floodFrom } from '../skin/foreign-skin.ts';
import { keepPairedFeatures } from './mirror-features.ts';
import { relativeDarkness, notSkin } from '../skin/not-skin.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import { findStrands } from './strands.ts';
import { midlineDistance } from '../uv/texel.ts';

/**
 * Reach of the filled area beyond what was recognised, in sides of the atlas: strands end softly.
 */
const GROWTH_SIDES = 1 / 34;
/** Blurred coverage from which the grown area sets in, and how steeply. */
const GROWN = { onset: 0.08, slope: 3.2 };
/** Reach of the shade that hair throws over the forehead, in sides of the atlas. */
const SHADE_SIDES = 1 / 20;
/** Relative darkness over which skin near hair is in its shade. */
const SHADE_DARKNESS: Ramp = { from: 0.04, to: 0.12 };
/** Distance from the midline, in sides, over which the atlas is filled whatever it shows. */
const FILLED_ASIDE: Ramp = { from: 0.28, to: 0.34 };
/** Gain of the evidence that is followed inwards from the oval's edge. */
const FOLLOWING_GAIN = 1.6;
/**
 * Share of the search's strictness beside the jaw, as strands hang beside the chin, not over it.
 */
const JAW_STRICTNESS = 0.65;
/** Share of the search that a beard takes off where beards grow: whiskers are this person's own. */
const BEARD_LENIENCE = 0.85;
/** Part of the chin, in sides, that is compared with its shading to find a beard. */
const CHIN_BOX = { left: 0.38, right: 0.62, top: 0.78, bottom: 0.92 };
/** Relative darkness of the chin over which the person wears a beard. */
const BEARD_DARKNESS: Ramp = { from: 0.12, to: 0.3 };

/** What of the search depends on the layout alone. */
const zonesOf = perLayout((layout: RegionMasks) => {
  const { side, oval, features, centre, beardZone, chin } = layout;
  // Hair, ears and background as often as skin, and tell nobody apart: always filled.
  const sides = oval.map((inside, i) => {
    return inside * ramp(FILLED_ASIDE, midlineDistance(i, side));
  });
  return {
    sides,
    skin: oval.map((inside, i) => inside * (1 - features[i]!)),
    /** How much what is odd there counts. */
    searched: oval.map((inside, i) => (features[i]! < 1 && sides[i]! < 1 ? inside * (1 - centre[i]!) : 0)),
    /** Strands hang beside the chin, not over it. */
    jaw: beardZone.map((beard, i) => JAW_STRICTNESS * beard * (1 - chin[i]!)),
  };
});

/**
 * What is not the face's own skin (hair, bangs, hands), 0..1, and the sides: of
 * `atlas`, whose size `layout` is of, and which `small` is in a coarse atlas. Brows and lids count
 * only where hair lies over them and the other side has one to show instead. `unseen`: what is
 * another part's mirror image already (see `completeByMirror`), coarse.
 */
export function findForeign(
  make: PlaneMaker,
  atlas: Atlas,
  layout: AtlasLayout,
  small: Atlas,
  coarseLayout: AtlasLayout,
  model: SkinModel,
  unseen: Float32Array | null,
): Float32Array {
  const { side, luma, blue, red } = atlas;
  const count = side * side;
  const bearded = beardOf(small, coarseLayout, model);
  const strands = findStrands(small, coarseLayout, model, bearded, unseen, make);
  boxBlur(strands, COARSE_SIDE, COARSE_SIDE, 1, 1);
  const strandOf = enlargeSquare(strands, COARSE_SIDE, side / COARSE_SIDE, make.uninitialised(count));
  const expected = enlargeSquare(model.luma, COARSE_SIDE, side / COARSE_SIDE, make.uninitialised(count));
  const { sides, skin, searched, jaw } = zonesOf(layout);
  const { beardZone, hairZone, oval, softEyes } = layout;
  const odd = make.floats(count);
  for (let i = 0; i < count; i++) {
    // Whiskers are this person's own; the beard's edge is no fault.
    let lenient = searched[i]!;
    if (lenient === 0) continue;
    lenient *= 1 - BEARD_LENIENCE * bearded * beardZone[i]!;
    const strictness = Math.max(hairZone[i]!, (1 - bearded) * jaw[i]!);
    odd[i] = lenient * notSkin(model, expected[i]!, luma[i]!, blue[i]!, red[i]!, strictness);
  }
  const hanging = hangingIn(odd, side, coarseLayout, unseen, make);
  const hangs = enlargeSquare(hanging, COARSE_SIDE, side / COARSE_SIDE, make.uninitialised(count));
  const foreign = make.floats(count);
  const open = make.floats(count);
  for (let i = 0; i < count; i++) {
    if (oval[i] === 0) continue;
    const strand = Math.min(1, 2 * strandOf[i]!) * (1 - softEyes[i]!);
    open[i] = skin[i]! > strand ? skin[i]! : strand;
    foreign[i] = open[i]! * Math.max(odd[i]! * Math.min(1, 2 * hangs[i]!), sides[i]!, strand);
  }
  boxBlur(foreign, side, side, Math.max(1, boxRadius(GROWTH_SIDES * side)), 2);
  for (let i = 0; i < count; i++) {
    const grown = (foreign[i]! - GROWN.onset) * GROWN.slope;
    foreign[i] = grown <= 0 ? 0 : (grown >= 1 ? 1 : grown) * open[i]!;
  }
  const shades = make.copyOf(foreign);
  boxBlur(shades, side, side, Math.max(1, boxRadius(SHADE_SIDES * side)), 2);
  for (let i = 0; i < count; i++) {
    if (hairZone[i] === 0 || shades[i] === 0 || open[i] === 0) continue;
    const darker = relativeDarkness(expected[i]!, luma[i]!);
    const shade = Math.min(1, 3 * shades[i]!) * hairZone[i]! * open[i]! * ramp(SHADE_DARKNESS, darker);
    if (shade > foreign[i]!) foreign[i] = shade;
  }
  keepPairedFeatures(foreign, layout);
  return foreign;
}

/**
 * Near what hangs in from the oval's edge, coarse: hair and hands do, a mole or a scar is the
 * person's own.
 */
function hangingIn(
  odd: Float32Array,
  side: number,
  coarseLayout: RegionMasks,
  unseen: Float32Array | null,
  make: PlaneMaker,
): Float32Array {
  const lead = shrinkSquare(odd, side, COARSE_SIDE, make.uninitialised(COARSE_SIDE * COARSE_SIDE));
  for (let i = 0; i < lead.length; i++) lead[i]! *= FOLLOWING_GAIN;
  const reached = floodFrom(lead, lead, coarseLayout, FILLED_ASIDE.from, unseen, make);
  boxBlur(reached, COARSE_SIDE, COARSE_SIDE, 2, 1);
  return reached;
}

/** How surely the person wears a beard: the chin is much darker than its shading explains. */
function beardOf(small: Atlas, coarseLayout: RegionMasks, model: SkinModel): number {
  let sum = 0;
  let count = 0;
  for (let y = Math.floor(CHIN_BOX.top * COARSE_SIDE); y < CHIN_BOX.bottom * COARSE_SIDE; y++) {
    for (let x = Math.floor(CHIN_BOX.left * COARSE_SIDE); x < CHIN_BOX.right * COARSE_SIDE; x++) {
      const i = y * COARSE_SIDE + x;
      if (coarseLayout.oval[i] === 0 || coarseLayout.features[i]! > 0.5) continue;
      sum += relativeDarkness(model.luma[i]!, small.luma[i]!);
      count += 1;
    }
  }
  return count > 0 ? ramp(BEARD_DARKNESS, sum / count) : 0;
}
