import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadCanonicalFace } from '@guise/engine/face/geometry/canonical-face.ts';
import { inImageAxes } from '@guise/engine/face/geometry/pose.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { paintedAtlas } from '../../packages/engine/src/mesh/testing/painted-atlas.ts';
import { createAtlasLayouts } from '../../packages/engine/src/mesh/uv/atlas-layouts.ts';
import { DEFECT_SIDE, type FacePair } from './face-pair.ts';
import { halfKept } from './half-kept.ts';
import { noseColourStep } from './nose-colour.ts';
import { redBelowLip } from './red-below-lip.ts';
import { silhouetteEdges } from './silhouette-edges.ts';
import { smileRelief } from './smile-relief.ts';
import { thinLines } from './thin-lines.ts';

const canonical = await loadCanonicalFace();
const layout = createAtlasLayouts(canonical)(DEFECT_SIDE);
const { points } = layout;

type Paint = Parameters<typeof paintedAtlas>[1];
type Colour = ReturnType<Paint>;

/** Skin with pores and a shade that changes from side to side. */
const skin: Paint = (u, v) => [165 + 20 * (u - 0.5) + 2 * Math.sin(900 * u) * Math.sin(900 * v), -10, 14];
/** Draws this skin in the light and colour of another face. */
const otherSkin: Paint = (u, v, i) => {
  const [luma, blue, red] = skin(u, v, i);
  return [0.7 * luma, 0.9 * blue, 0.8 * red];
};

function pairOf(output: Paint): FacePair {
  return {
    layout,
    output: paintedAtlas(DEFECT_SIDE, output),
    target: paintedAtlas(DEFECT_SIDE, skin),
  };
}

/** Draws a spot around a vertex on the skin. */
function spotAt(vertex: number, radius: number, colour: (under: Colour) => Colour): Paint {
  return (u, v, i) => {
    const away = Math.hypot(u - points[2 * vertex]! / DEFECT_SIDE, v - points[2 * vertex + 1]! / DEFECT_SIDE);
    return away < radius ? colour(skin(u, v, i)) : skin(u, v, i);
  };
}

const lineAt = (isLine: (u: number, v: number) => boolean, share: number): Paint => {
  return (u, v, i) => {
    const [luma, blue, red] = skin(u, v, i);
    return isLine(u, v) ? [share * luma, blue, red] : [luma, blue, red];
  };
};
const bridge = (u: number, v: number): boolean => Math.abs(v - 0.36) < 0.005 && Math.abs(u - 0.5) < 0.06;
const arm = (u: number, v: number): boolean => Math.abs(v - 0.33) < 0.005 && Math.abs(u - 0.5) > 0.25;

const moustache = (u: number, v: number): boolean => v > 0.6 && v < 0.66 && Math.abs(u - 0.5) < 0.11;
const keptPlane = (opacity: (u: number, v: number, texel: number) => number): Float32Array =>
  paintedAtlas(DEFECT_SIDE, (u, v, i) => [opacity(u, v, i), 0, 0]).luma;

describe('a face without the defect measures nearly zero, whatever its skin', () => {
  for (const [name, measure, floor] of [
    ['nose', noseColourStep, 0.5],
    ['lines', thinLines, 0.05],
    ['lip', redBelowLip, 0.5],
    ['smile', smileRelief, 0.05],
  ] as const) {
    test(name, () => {
      assert.ok(measure(pairOf(skin)) <= floor);
      assert.ok(measure(pairOf(otherSkin)) <= floor, `${measure(pairOf(otherSkin))}`);
    });
  }
});

test('an orange or white tip of the nose measures its difference in levels', () => {
  const orange = noseColourStep(pairOf(spotAt(4, 0.05, ([luma, blue, red]) => [luma, blue - 8, red + 12])));
  const white = noseColourStep(pairOf(spotAt(4, 0.05, ([luma]) => [luma, 0, 0])));
  assert.ok(orange > 6, `orange ${orange}`);
  assert.ok(white > 6, `white ${white}`);
});

describe('lines of glasses', () => {
  test('a dark or bright bridge and arms count, and darker ones count more', () => {
    for (const isLine of [bridge, arm]) {
      const [faint, dark, bright] = [0.9, 0.5, 1.3].map((share) => thinLines(pairOf(lineAt(isLine, share))));
      assert.ok(faint! > 0.2 && dark! > 2 * faint! && bright! > 0.5, `${faint} ${dark} ${bright}`);
    }
  });

  test('a line that the target also has, or a broad shade, does not count', () => {
    const worn = paintedAtlas(DEFECT_SIDE, lineAt(bridge, 0.5));
    assert.ok(thinLines({ layout, output: worn, target: worn }) < 0.05);
    const shade = lineAt((u) => u > 0.5, 0.7);
    assert.ok(thinLines(pairOf(shade)) < 0.4, `${thinLines(pairOf(shade))}`);
  });
});

test('a brow or moustache that is kept in part counts; one that is kept or covered as a whole hardly counts', () => {
  const things = [moustache, (_u: number, _v: number, i: number) => layout.brows[i]! > 0.5];
  for (const isThing of things) {
    const at = (opacity: number): number =>
      halfKept(
        layout,
        keptPlane((u, v, i) => (isThing(u, v, i) ? opacity : 0)),
      );
    assert.equal(at(1), 0);
    assert.equal(at(0), 0);
    assert.equal(at(0.5), 1);
  }
  const halved = keptPlane((u, v) => (moustache(u, v) ? (u < 0.5 ? 1 : 0.4) : 0));
  assert.ok(halfKept(layout, halved) > 0.4);
  const softEdged = keptPlane((u, v) => (moustache(u, v) ? Math.min(1, (v - 0.6) / 0.01) : 0));
  assert.ok(halfKept(layout, softEdged) < 0.25, `${halfKept(layout, softEdged)}`);
});

test('a red spot right below the lower lip measures how many levels it is redder than the chin', () => {
  const below = 18;
  const blot = spotAt(below, 0.035, ([luma, blue, red]) => [luma, blue, red + 15]);
  assert.ok(redBelowLip(pairOf(blot)) > 8, `${redBelowLip(pairOf(blot))}`);
  const own = paintedAtlas(DEFECT_SIDE, blot);
  assert.ok(redBelowLip({ layout, output: own, target: own }) < 0.5);
});

test('a dark fold from the nose past the mouth counts unless the target has it; a light one does not', () => {
  const line = [129, 206, 216];
  const fold = (depth: number): Paint => {
    return (u, v, i) => {
      const [luma, blue, red] = skin(u, v, i);
      const away = Math.min(
        ...line.flatMap((vertex, k) => {
          const next = line[k + 1];
          if (next === undefined) return [];
          return Array.from({ length: 11 }, (_, step) => {
            const x = points[2 * vertex]! + (step / 10) * (points[2 * next]! - points[2 * vertex]!);
            const y =
              points[2 * vertex + 1]! + (step / 10) * (points[2 * next + 1]! - points[2 * vertex + 1]!);
            return Math.hypot(u - x / DEFECT_SIDE, v - y / DEFECT_SIDE);
          });
        }),
      );
      return away < 0.015 ? [luma * (1 - depth), blue, red] : [luma, blue, red];
    };
  };
  const [shallow, deep] = [0.1, 0.3].map((depth) => smileRelief(pairOf(fold(depth))));
  assert.ok(shallow! > 0.2 && deep! > 2 * shallow!, `${shallow} ${deep}`);
  const own = paintedAtlas(DEFECT_SIDE, fold(0.3));
  assert.ok(smileRelief({ layout, output: own, target: own }) < 0.05);
});

test('a second outline inside the silhouette counts; the old outline does not, in any tone', () => {
  const landmarks = inImageAxes(canonical.vertices).map((value, i) => 12 * value + (i % 3 === 2 ? 0 : 150));
  const top = landmarks[3 * 10 + 1]!;
  const bottom = landmarks[3 * 152 + 1]!;
  const middleY = (top + bottom) / 2;
  const radius = (bottom - top) / 2;
  const drawn = (lumaAt: (depth: number) => number): RgbImage => {
    const data = new Uint8Array(300 * 300 * 3);
    for (let i = 0; i < 300 * 300; i++) {
      const x = (i % 300) + 0.5 - 150;
      const y = Math.floor(i / 300) + 0.5 - middleY;
      data.fill(lumaAt(1 - Math.hypot(x / 0.75, y) / radius), 3 * i, 3 * i + 3);
    }
    return { data, width: 300, height: 300 };
  };
  const face = drawn((depth) => (depth > 0 ? 170 : 40));
  const same = silhouetteEdges(face, face, landmarks);
  const paler = silhouetteEdges(
    drawn((depth) => (depth > 0 ? 150 : 40)),
    face,
    landmarks,
  );
  const doubled = silhouetteEdges(
    drawn((depth) => (depth > 0.09 ? 170 : depth > 0 ? 90 : 40)),
    face,
    landmarks,
  );
  assert.equal(same, 0);
  assert.ok(paler < 1, `paler ${paler}`);
  assert.ok(doubled > 5, `doubled ${doubled}`);
});
