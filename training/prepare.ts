/**
 * Prepares the training data from the fixtures' portraits.
 *
 *   node launch.cjs training/prepare.ts --out DIR [--limit N]
 *
 * README.md in this folder describes each file. The same fixtures give the same bytes.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type CanonicalFace, loadCanonicalFace } from '@guise/engine/face/geometry/canonical-face.ts';
import { scaled } from '@guise/engine/face/geometry/landmark-transforms.ts';
import { largestFace } from '@guise/engine/face/detect/largest-face.ts';
import { FACE_OVAL } from '@guise/engine/mesh/uv/face-regions.ts';
import type { AtlasLayout } from '@guise/engine/mesh/uv/atlas-layout.ts';
import { createAtlasLayouts } from '@guise/engine/mesh/uv/atlas-layouts.ts';
import { createEngine, type Engine } from '@guise/engine/pipeline/engine.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { fillPolygon } from '@guise/kernels/polygon.ts';
import { drawGlassesApart } from './draw/draw-glasses.ts';
import { fixture } from '../scripts/fixtures.ts';
import { readRgb } from '../scripts/read-rgb.ts';
import { seededRandom } from '../scripts/seeded-order.ts';
import { alignFace, CROP_SIDE, cutCrop } from './aligned-crop.ts';
import { ByteFiles } from './byte-files.ts';
import { drawHair } from './draw/draw-hair.ts';
import { atlasOverlay, type AtlasPicture, atlasPicture } from './atlas-picture.ts';
import { type Overlay, overlaysOf } from './overlay.ts';
import { isBare, learnable, readPeople } from './people.ts';

/** Pairs of glasses that are drawn for each bare face. */
const GLASSES_A_FACE = 6;
/** Heads of hair that are drawn for each bare face. */
const HAIR_A_FACE = 3;
/**
 * Side of the squares in which things are drawn, pixels. It is twice the crop's, for sharp edges.
 */
const DRAWN_SIDE = 2 * CROP_SIDE;
/** Side of the atlas, texels. */
const ATLAS_SIDE = 256;
/** Longer side to which pictures are reduced before face detection, pixels. */
const LONGEST_PX = 1600;
/** Factors and offset from which the seed of each drawing is made. */
const SEED_OF = { face: 7919, glasses: 31, hair: 5_000_000 } as const;

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    limit: { type: 'string' },
    models: { type: 'string', default: path.join(os.tmpdir(), 'guise-bench-models') },
  },
});
if (values.out === undefined) throw new Error('--out is missing: a folder for some 1.2 GB.');
await prepare(values.out, values.limit === undefined ? Infinity : Number(values.limit));

async function prepare(dir: string, limit: number): Promise<void> {
  await mkdir(dir, { recursive: true });
  const engine = await createEngine({ modelCacheDir: values.models });
  const canonicalFace = await loadCanonicalFace();
  const layout = createAtlasLayouts(canonicalFace)(ATLAS_SIDE);
  const files = new ByteFiles(dir);
  const faces: object[] = [];
  const pictures = await learnable(await readPeople());
  for (const [at, picture] of pictures.entries()) {
    if (faces.length >= limit) break;
    const face = await readFace(engine, layout, picture.file);
    if (face === null) continue;
    const isDrawnOn = isBare(picture);
    faces.push({ ...picture, isBare: isDrawnOn });
    await files.write('rgb', face.crop.data);
    await files.write('oval', ovalOf(face.landmarks));
    await files.write('atlas-rgb', face.atlas.rgb);
    await files.write('atlas-facing', face.atlas.facing);
    if (!isDrawnOn) continue;
    const large = scaled(face.landmarks, DRAWN_SIDE / CROP_SIDE);
    const writeOverlay = (name: string, overlay: Overlay): Promise<void> =>
      files.write(`atlas-${name}`, atlasOverlay(layout, overlay, DRAWN_SIDE, large));
    for (let k = 0; k < GLASSES_A_FACE; k++) {
      const glasses = drawnGlasses(large, SEED_OF.face * at + SEED_OF.glasses * k);
      for (const [name, overlay] of Object.entries(glasses)) await writeOverlay(name, overlay);
    }
    for (let k = 0; k < HAIR_A_FACE; k++) {
      const seed = SEED_OF.hair + SEED_OF.face * at + k;
      const { hair } = overlaysOf(['hair'], DRAWN_SIDE, (layers) =>
        drawHair(layers.hair, large, seededRandom(seed)),
      );
      await writeOverlay('hair', hair);
    }
    if (faces.length % 20 === 0) console.log(`${faces.length} faces`);
  }
  await files.close();
  await engine.close();
  const index = { side: CROP_SIDE, glassesAFace: GLASSES_A_FACE, hairAFace: HAIR_A_FACE, faces };
  await writeFile(path.join(dir, 'index.json'), `${JSON.stringify(index, null, 1)}\n`);
  await writeFile(path.join(dir, 'mesh.json'), JSON.stringify(meshOf(canonicalFace, layout)));
  console.log(`${faces.length} faces in ${dir}`);
}

/**
 * Returns the canonical face: its vertices in space, their points in the atlas, and its triangles.
 */
function meshOf({ vertices }: CanonicalFace, { side, points, triangles }: AtlasLayout): object {
  return { side, vertices: [...vertices], points: [...points], triangles: [...triangles] };
}

/** A face of a portrait, cropped and unwrapped. */
interface ReadFace {
  readonly crop: RgbImage;
  /** Pixels of the crop. */
  readonly landmarks: Float32Array;
  readonly atlas: AtlasPicture;
}

/** Finds the largest face of a picture; null if there is none. */
async function readFace(engine: Engine, layout: AtlasLayout, file: string): Promise<ReadFace | null> {
  const image = await readRgb(fixture(file), { longest: LONGEST_PX });
  const found = largestFace(await engine.detect(image));
  if (!found) return null;
  const { toImage, landmarks } = alignFace(found.landmarks);
  return {
    crop: cutCrop(image, { toImage, landmarks }),
    landmarks,
    atlas: atlasPicture(layout, image, found.landmarks),
  };
}

/** Returns the mask of the oval of the mesh: a byte per pixel of the crop, 255 inside. */
function ovalOf(landmarks: Float32Array): Uint8Array {
  const plane = new Float32Array(CROP_SIDE * CROP_SIDE);
  const outline = FACE_OVAL.flatMap((vertex) => [landmarks[3 * vertex]!, landmarks[3 * vertex + 1]!]);
  fillPolygon(plane, CROP_SIDE, CROP_SIDE, outline);
  return Uint8Array.from(plane, (value) => 255 * value);
}

/** Draws a pair of glasses in parts. `inside` is white inside the lenses. */
function drawnGlasses(
  landmarks: Float32Array,
  seed: number,
): Record<'frame' | 'lens' | 'shadow' | 'inside', Overlay> {
  const inside = new Float32Array(DRAWN_SIDE * DRAWN_SIDE);
  const overlays = overlaysOf(['frame', 'lens', 'shadow'], DRAWN_SIDE, (layers) => {
    const lenses = drawGlassesApart(layers, landmarks, seededRandom(seed));
    for (const lens of lenses)
      fillPolygon(
        inside,
        DRAWN_SIDE,
        DRAWN_SIDE,
        lens.flatMap(([x, y]) => [x, y]),
      );
  });
  return {
    ...overlays,
    inside: Uint8Array.from({ length: 4 * inside.length }, (_, i) => 255 * Math.min(1, inside[i >> 2]!)),
  };
}
