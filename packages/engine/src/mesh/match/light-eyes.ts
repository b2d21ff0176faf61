import { clamp } from '@guise/kernels/clamp.ts';
import type { Ramp } from '@guise/kernels/ramp.ts';
import { ramp } from '@guise/kernels/ramp.ts';
import type { TargetFace } from '../target/target-face.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { perLayout } from '../uv/atlas-layout.ts';
import type { Atlas, AtlasColours } from '../uv/atlas.ts';
import { EYES } from '../uv/face-regions.ts';
import { bounded } from './compose.ts';
import { eyeOf } from './eye.ts';
import { SEEN_OPENING } from './iris-ring.ts';
import { meanAt, texelsWhere } from '../uv/texel.ts';

/** Depth in the eye. 0 at `from`: a texel is lid; 1 at `to`: it is eye. */
const EYE_DEPTH: Ramp = { from: 0.25, to: 0.5 };
/** Depth in the eye from which a texel is free of lids and lashes. */
const BARE_DEPTH = 0.8;
/**
 * Shares of the bare texels of both eyes, from dark to bright, between which lie the whites. Glints
 * are brighter.
 */
const WHITES: Ramp = { from: 0.8, to: 0.97 };
/** Share of the whites' colour that is the light's. The rest is that of lids and veins. */
const LIGHT_SHARE = 0.5;
/** Share by which glints keep less of their excess over the whites: enlarged, they would glare. */
const GLINT_DISCOUNT = 0.6;
/** Colour difference up to which a grey texel may turn blue as the tint of warm light goes. */
const MAX_BLUE = 2;
/** Shares between which lie pupils and lashes. */
const PUPILS: Ramp = { from: 0.02, to: 0.1 };

/**
 * Largest factor by which eyes get brighter than the skin does: eyes in a shade are often darker
 * than their whites seem.
 */
const MAX_BRIGHTENING = 1.2;
/**
 * Least luma of whites over the target's skin. Between narrow lids its whites are hardly seen, and
 * seem darker than they are.
 */
const MIN_WHITE = 0.65;

/** Luma of whites over that of skin. 0 at `from`: they are not seen; 1 at `to`: they are. */
const SHOWN_WHITES: Ramp = { from: 0.42, to: 0.55 };

/** Texels of both eyes, and those of them without lids. */
const eyeTexels = perLayout(({ softEyes }: AtlasLayout) => {
  const whole = texelsWhere(softEyes.length, (i) => softEyes[i]! > EYE_DEPTH.from);
  return { whole, bare: whole.filter((i) => softEyes[i]! > BARE_DEPTH) };
});

/**
 * Gives the lit face's eyes, in place, the light of the target's eyes: its brightness and tint. The
 * whites of all people's eyes are alike, so they must not change with the skin around them.
 * @param source the source's atlas before it was lit
 * @param skinGain factor by which the skin gets brighter
 * @param share 0..1: how far they change, see `measurableEyes`
 */
export function lightEyes(
  lit: Atlas,
  source: AtlasColours,
  target: Pick<TargetFace, 'atlas' | 'skinLuma' | 'colour'>,
  skinGain: number,
  share: number,
  layout: AtlasLayout,
): void {
  if (share === 0) return;
  const { whole, bare } = eyeTexels(layout);
  const own = rangeOf(source, bare);
  const wanted = rangeOf(target.atlas, bare);
  const white = Math.min(
    Math.max(wanted.white, MIN_WHITE * target.skinLuma),
    // Whites that are brighter than skin glare, unless they do so in the source's photo.
    Math.max(target.skinLuma, own.white * skinGain),
    own.white * MAX_BRIGHTENING * Math.max(1, skinGain),
  );
  const whiteGain = white / Math.max(1, own.white);
  // Pupils may get darker than that, and so give the eyes more contrast, but not paler.
  const black = Math.min(wanted.black, whiteGain * own.black);
  const gain = (white - black) / Math.max(1, own.white - own.black);
  for (const i of whole) {
    const change = share * ramp(EYE_DEPTH, layout.softEyes[i]!);
    const glint = GLINT_DISCOUNT * Math.max(0, source.luma[i]! - own.white);
    const luma = clamp(black + gain * (source.luma[i]! - own.black - glint), 0, 255);
    lit.luma[i]! += change * (luma - lit.luma[i]!);
    for (const plane of ['blue', 'red'] as const) {
      // The rest of a texel's colour is the light's, as on the whites.
      const seen = source[plane][i]!;
      const free = seen - (source.luma[i]! / Math.max(1, own.white)) * own[plane];
      const colour =
        plane === 'blue'
          ? Math.min(free, Math.max(seen, MAX_BLUE))
          : Math.max(free, Math.min(seen, -MAX_BLUE));
      const tint = (luma / Math.max(1, white, wanted.white)) * wanted[plane];
      lit[plane][i]! += change * (tint + target.colour * bounded(whiteGain * colour, 0) - lit[plane][i]!);
    }
  }
}

/**
 * Measures how well the whites of two faces' eyes can be seen, 0..1: 0 if an eye is narrow. Meshes
 * are 478 x (x, y, z).
 */
export function measurableEyes(source: Float32Array, target: Float32Array): number {
  const openings = EYES.flatMap((eye) => [eyeOf(source, eye).opening, eyeOf(target, eye).opening]);
  return ramp(SEEN_OPENING, Math.min(...openings));
}

/**
 * Measures whether a photo shows the whites of a face's eyes, 0..1: where they lie in the shade or
 * have few pixels, eyes are dark smears.
 * @param skin see `lightness`
 */
export function whitesShown(face: AtlasColours, skin: number, layout: AtlasLayout): number {
  return ramp(SHOWN_WHITES, rangeOf(face, eyeTexels(layout).bare).white / skin);
}

/** Brightness and tint of a face's eyes. */
interface EyeRange {
  /** Mean luma of the whites. */
  readonly white: number;
  /** Colour differences of the light on the whites. */
  readonly blue: number;
  readonly red: number;
  /** Mean luma of pupils and lashes. */
  readonly black: number;
}

/** Measures whites and pupils of both eyes. */
function rangeOf({ luma, blue, red }: AtlasColours, texels: Uint32Array): EyeRange {
  const sorted = Uint32Array.from(texels).sort((a, b) => luma[a]! - luma[b]!);
  const between = ({ from, to }: Ramp): Uint32Array =>
    sorted.subarray(Math.floor(from * sorted.length), Math.ceil(to * sorted.length));
  const whites = between(WHITES);
  return {
    white: meanAt(luma, whites),
    blue: LIGHT_SHARE * meanAt(blue, whites),
    red: LIGHT_SHARE * meanAt(red, whites),
    black: meanAt(luma, between(PUPILS)),
  };
}
