import type { Atlas } from '../uv/atlas.ts';
import type { AtlasLayout } from '../uv/atlas-layout.ts';
import { beardlessCore, perLayout } from '../uv/atlas-layout.ts';
import { relativeDarkness } from '../skin/not-skin.ts';
import { medianOf } from '../skin/skin-model.ts';

/** Part of the upper lip, in sides of the atlas, where moustaches are densest. */
const MOUSTACHE_BOX = { aside: 0.08, top: 0.6, bottom: 0.66 } as const;
/** Facing below which a texel says nothing. */
const MIN_FACING = 0.3;
/** Fewest texels whose median counts. */
const MIN_TEXEL_COUNT = 12;
/** Darkness of the chin against the cheeks over which it is bearded: shaded stubble has 0.22. */
const CHIN_DARKNESS = 0.24;
/** Darkness of the upper lip over which it is bearded: shade under a nose reaches 0.3. */
const MOUSTACHE_DARKNESS = 0.36;

/** Texels, by half of the face, of the cheeks, of the chin and of the upper lip. */
const zonesOf = perLayout((layout: AtlasLayout) => {
  const { side, oval, features, holes, chin } = layout;
  const core = beardlessCore(layout);
  return [0, 1].map((half) => {
    const pick = (belongs: (texel: number, aside: number, v: number) => boolean): Uint32Array =>
      Uint32Array.from(oval.keys()).filter((i) => {
        const u = ((i % side) + 0.5) / side - 0.5;
        if (u > 0 !== (half === 1) || oval[i] === 0 || features[i]! > 0.5 || holes[i]! > 0.5) return false;
        return belongs(i, Math.abs(u), (Math.floor(i / side) + 0.5) / side);
      });
    return {
      cheek: pick((i) => core[i]! > 0.5),
      chin: pick((i) => chin[i]! > 0.5),
      lip: pick(
        (_, aside, v) => aside < MOUSTACHE_BOX.aside && v > MOUSTACHE_BOX.top && v < MOUSTACHE_BOX.bottom,
      ),
    };
  });
});

/**
 * Tells whether chin and upper lip are both covered by a beard, on each half of the face that is
 * seen: a shadow lies on one half, a moustache or a microphone on one place.
 * @param small coarse atlas of the face
 */
export function hasFullBeard(small: Atlas, layout: AtlasLayout): boolean {
  let halves = 0;
  for (const { cheek, chin, lip } of zonesOf(layout)) {
    const [skin, below, above] = [cheek, chin, lip].map((texels) => medianLuma(small, texels));
    if (skin == null || below == null || above == null) continue;
    if (relativeDarkness(skin, below) < CHIN_DARKNESS) return false;
    if (relativeDarkness(skin, above) < MOUSTACHE_DARKNESS) return false;
    halves += 1;
  }
  return halves > 0;
}

/** Median luma of the texels that face the camera; null if these are too few. */
function medianLuma({ luma, facing }: Atlas, texels: Uint32Array): number | null {
  const seen = new Float64Array(texels.length);
  let count = 0;
  for (let k = 0; k < texels.length; k++) {
    const i = texels[k]!;
    if (facing[i]! >= MIN_FACING) seen[count++] = luma[i]!;
  }
  return count < MIN_TEXEL_COUNT ? null : medianOf(seen.subarray(0, count));
}
