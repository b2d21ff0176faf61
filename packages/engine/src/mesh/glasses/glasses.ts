import { boxBlur } from '@guise/kernels/filter/box-blur.ts';
import { enlargedRow } from '@guise/kernels/scale/plane-scale.ts';
import { smoothstep } from '@guise/kernels/smoothstep.ts';
import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { COARSE_SIDE, perLayout } from '../uv/atlas-layout.ts';
import type { SkinModel } from '../skin/skin-model.ts';
import { relativeDarkness, colourTells } from '../skin/not-skin.ts';

/** Where the nose's ridge below the bridge of a frame is bare, in the atlas's height. */
const RIDGE_BARE = 0.43;

/** Darker than this face's skin at that place by these shares: a frame, not the shade of an eye socket. */
const DARK_ONSET = 0.4;
const DARK_FULL = 0.58;
/** Brighter: a metal rim or the glare of a lens. */
const BRIGHT_ONSET = 0.3;
const BRIGHT_FULL = 0.5;
/** Thin lines, lighter or darker than what is around them, in the same shares: rims. Their colour is the skin's, blurred over them. */
const LINE_ONSET = { source: 0.07, target: 0.13 } as const;
const LINE_FULL = { source: 0.16, target: 0.24 } as const;
/** Where the upper rim may cross the brows, in the atlas's height. */
const RIM_TOP = 0.272;
const RIM_BELOW = 0.292;
/** Below the bridge of a frame the middle of the nose is bare, and shines: distance from the middle, in the atlas's width. */
const RIDGE_NARROW = 0.04;
const RIDGE_WIDE = 0.06;
/** Usual and large lenses end here, in the atlas's height; from `LOW` on thin lines hardly count: folds of the cheek. */
const LENSES_END = 0.55;
const LARGE_LENSES_END = 0.6;
const LOW = 0.5;
const LOW_LINES = 0.1;
/** Beside a frame: as a fraction of the side, and the share of frames in so wide a square. */
const BESIDE = 1 / 64;
const BESIDE_FULLY = 0.15;
/** Large ones end that low only beside the nose: distance from the middle, in the atlas's width. */
const NOSE_NARROW = 0.12;
const NOSE_WIDE = 0.17;
/** The nose's root, and where the eyes' inner corners end, in the same; above its top the brows' hair may begin. */
const ROOT_NARROW = 0.04;
const ROOT_WIDE = 0.07;
const CORNER = 0.09;
const ROOT_TOP = 0.27;
const ROOT_FROM = 0.3;
/** Bluer and less red than shaded skin, in spreads of the skin's own colours: reflections in the lenses. */
const REFLECTION_ONSET = 3;
const REFLECTION_FULL = 5;
/** Reddishness (red difference over luma) against the bare skin's, above which something dark is shaded skin. */
const NEUTRAL = 0.6;
const SKIN_TONED = 0.95;
/** Darker than the hair of the brows by these shares: a rim before them. */
const RIM_DARK_ONSET = 0.4;
const RIM_DARK_FULL = 0.65;
/** From here on outwards the rims leave the brows' tails for the temples: distance from the middle, in the atlas's width. */
const TAIL_ONSET = 0.19;
const TAIL_FULL = 0.225;
/** Growth of what was found, as a fraction of the side: frames have soft edges and shadows, which a source should not keep. */
const GROWTH = { source: 1 / 128, target: 1 / 170 } as const;
const GROWN_ONSET = { source: 0.06, target: 0.1 } as const;
const GROWN_FULL = { source: 0.3, target: 0.45 } as const;

/** Where a source's frames are looked for: as low as large lenses reach, and in the eyes' inner corners. */
export const sourceZone = perLayout(({ side, oval, lids, softEyes }): Float32Array =>
  oval.map((inside, i) => {
    const aside = asideOf(i, side);
    const v = (Math.floor(i / side) + 0.5) / side;
    const end = LENSES_END + (LARGE_LENSES_END - LENSES_END) * smoothstep(NOSE_NARROW, NOSE_WIDE, aside);
    const lid = lids[i]! * smoothstep(ROOT_WIDE, CORNER, aside);
    return (
      inside * smoothstep(0.24, 0.28, v) * smoothstep(end, end - 0.05, v) * (1 - Math.max(lid, softEyes[i]!))
    );
  }),
);

/** How much of a source's dark places may be the skin's own shade there: not on the root of the nose, where frames are joined. */
const shadeZone = perLayout(({ side, oval }): Float32Array =>
  oval.map((_, i) => {
    const v = (Math.floor(i / side) + 0.5) / side;
    return Math.max(smoothstep(ROOT_NARROW, ROOT_WIDE, asideOf(i, side)), smoothstep(ROOT_FROM, ROOT_TOP, v));
  }),
);

/** Distance of a texel from the middle, in the atlas's width. */
function asideOf(texel: number, side: number): number {
  return Math.abs(((texel % side) + 0.5) / side - 0.5);
}

/**
 * The texels of the frames, 0..1, where worn glasses run: what is far darker or brighter than the skin `model` (fitted on the
 * light-size atlas) expects, and thin lines. Eyes and lids are left out; the skin behind the lenses is not part of it. Of a
 * source whatever may be rim is to go, but hair of its brows stays; of a target only what surely is rim is to stay, though it crosses a brow.
 */
export function findFrames(
  atlas: Atlas,
  layout: AtlasLayout,
  model: SkinModel,
  wearer: 'source' | 'target',
): Float32Array {
  const { side, luma } = atlas;
  const factor = side / COARSE_SIDE;
  const around = luma.slice();
  boxBlur(around, side, side, Math.max(1, Math.round(side / 64)), 2);
  const expected = new Float32Array(side);
  const { glassesZone, lids, browsSoft } = layout;
  const frames = new Float32Array(side * side);
  const tells = colourTells(model.red);
  const searched = wearer === 'source' ? sourceZone(layout) : null;
  const shadeable = wearer === 'source' ? shadeZone(layout) : layout.oval;
  const brow = wearer === 'source' ? browLevel(atlas, layout) : 0;
  for (let y = 0; y < side; y++) {
    enlargedRow(model.luma, COARSE_SIDE, factor, y, expected);
    const upper = smoothstep(RIM_BELOW, RIM_TOP, (y + 0.5) / side);
    const ridge = smoothstep(RIDGE_BARE - 0.02, RIDGE_BARE, (y + 0.5) / side);
    const low = wearer === 'source' ? smoothstep(LOW, LENSES_END, (y + 0.5) / side) : 0;
    const lines = 1 - (1 - LOW_LINES) * low;
    for (let x = 0, i = y * side; x < side; x++, i++) {
      const open = searched ? searched[i]! : glassesZone[i]! * (1 - lids[i]!);
      if (open === 0) continue;
      const aside = Math.abs((x + 0.5) / side - 0.5);
      const level = expected[x]! + 8;
      const darker = (expected[x]! - luma[i]!) / level;
      // Of a source only shine is left on the nose's ridge, of a target all: there frames are what stays.
      const isShine = wearer === 'target' || luma[i]! > around[i]!;
      const middle = isShine ? ridge * smoothstep(RIDGE_WIDE, RIDGE_NARROW, aside) : 0;
      const guard = wearer === 'source' ? browGuard(aside, luma[i]!, brow, model.median) : upper;
      const zone = open * (1 - middle) * (1 - guard * browsSoft[i]!);
      if (zone === 0) continue;
      // Hairs are lines too.
      const hairy = wearer === 'source' ? browsSoft[i]! : 0;
      const line = (lines * (1 - hairy) * Math.abs(luma[i]! - around[i]!)) / level;
      const reddish = (atlas.red[i]! * level) / (model.red * (luma[i]! + 8));
      const shade = shadeable[i]! * tells * smoothstep(NEUTRAL, SKIN_TONED, reddish);
      const fade = Math.max(0, Math.min(1.2, (luma[i]! + 8) / level));
      const pale =
        (atlas.blue[i]! - model.blue * fade) / model.blueDeviation -
        (atlas.red[i]! - model.red * fade) / model.redDeviation;
      frames[i] =
        zone *
        Math.max(
          (1 - shade) * smoothstep(DARK_ONSET, DARK_FULL, darker),
          smoothstep(BRIGHT_ONSET, BRIGHT_FULL, -darker),
          smoothstep(LINE_ONSET[wearer], LINE_FULL[wearer], line),
          tells * smoothstep(REFLECTION_ONSET, REFLECTION_FULL, pale),
        );
    }
  }
  if (searched) followRimsDown(frames, atlas, model, around, searched);
  boxBlur(frames, side, side, Math.max(1, Math.round(side * GROWTH[wearer])), 2);
  for (let i = 0; i < frames.length; i++) {
    if (frames[i] === 0) continue;
    const aside = asideOf(i, side);
    const guard = wearer === 'source' ? browsSoft[i]! * browGuard(aside, luma[i]!, brow, model.median) : 0;
    frames[i] = smoothstep(GROWN_ONSET[wearer], GROWN_FULL[wearer], frames[i]!) * (1 - guard);
  }
  return frames;
}

/** Down where a line may be a fold of the cheek, one right beside a frame is its edge or shade: added to `frames`. */
function followRimsDown(
  frames: Float32Array,
  { side, luma }: Atlas,
  model: SkinModel,
  around: Float32Array,
  searched: Float32Array,
): void {
  const near = frames.slice();
  boxBlur(near, side, side, Math.max(1, Math.round(side * BESIDE)), 1);
  const expected = new Float32Array(side);
  for (let y = Math.floor(LOW * side); y < LARGE_LENSES_END * side; y++) {
    enlargedRow(model.luma, COARSE_SIDE, side / COARSE_SIDE, y, expected);
    for (let x = 0, i = y * side; x < side; x++, i++) {
      if (searched[i] === 0 || near[i]! < 0.01) continue;
      const strayed = Math.max(Math.abs(luma[i]! - around[i]!), expected[x]! - luma[i]!) / (expected[x]! + 8);
      const beside = searched[i]! * Math.min(1, near[i]! / BESIDE_FULLY);
      const rim = beside * smoothstep(LINE_ONSET.source, LINE_FULL.source, strayed);
      if (rim > frames[i]!) frames[i] = rim;
    }
  }
}

/** Luma of the brows' hair, away from their tails. */
function browLevel({ side, luma }: Atlas, { browsSoft }: AtlasLayout): number {
  const lumas: number[] = [];
  for (let y = 0, i = 0; y < side; y++) {
    for (let x = 0; x < side; x++, i++) {
      if (browsSoft[i]! > 0.9 && Math.abs((x + 0.5) / side - 0.5) < TAIL_ONSET) lumas.push(luma[i]!);
    }
  }
  // Between the hairs there is skin.
  return Float64Array.from(lumas).sort()[lumas.length >> 2] ?? 0;
}

/** How surely what is seen of a source's brow is hair and no rim before it; `brow` and `skin` are their lumas. */
function browGuard(aside: number, luma: number, brow: number, skin: number): number {
  if (luma > (1 + BRIGHT_ONSET) * skin) return 0;
  const rim = smoothstep(RIM_DARK_ONSET, RIM_DARK_FULL, relativeDarkness(brow, luma));
  return (1 - rim) * smoothstep(TAIL_FULL, TAIL_ONSET, aside);
}
