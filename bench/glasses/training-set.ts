import { FEATURE_COUNT, wornFeatures } from '@guise/engine/mesh/glasses/worn-features.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { seededRandom } from '../../scripts/seeded-order.ts';
import { drawDistractors } from './draw-distractors.ts';
import { drawGlasses } from './draw-glasses.ts';
import { type FixtureFace, LARGEST_FACE_PX } from './fixture-faces.ts';
import type { Label } from './labels.ts';
import { readAtlas } from './read-atlas.ts';
import type { FacePhoto } from './vary-photo.ts';
import { copyPhoto, varyPhoto } from './vary-photo.ts';

/** Faces as numbers, row by row. */
export interface TrainingSet {
  /** `FEATURE_COUNT` of each. */
  readonly features: Float32Array;
  readonly isWorn: Uint8Array;
  /** Number of the label of each. */
  readonly label: Uint16Array;
}

/** Variants of each real wearer, of each bare face, and of each bare face with drawn glasses. */
const VARIANTS = { worn: 40, bare: 28, drawn: 28 } as const;
/** Share of variants in which other things are painted. */
const DISTRACTED_SHARE = 0.7;
/** Frames of a clip to one that is trained on: they are much alike. */
const FRAMES_APART = 4;

/** Sides of atlases that the engine reads faces in, texels; the last one suits small faces only. */
const SIDES = [256, 512, 128] as const;
/** Largest face that is read in the smallest atlas, pixels. */
const SMALL_FACE_PX = 200;

/** Step from the seed of a face to that of the next one. */
const SEED_STEP = 7919;

/** Reads a face as the engine does. @param side of the atlas, texels */
export function featuresOf(photo: FacePhoto, side: number): Float32Array {
  using space = new Workspace();
  return wornFeatures(readAtlas(photo, side, space), space);
}

/** Makes the faces that the decision is trained on. */
export async function makeTrainingSet(
  faces: readonly FixtureFace[],
  labels: readonly Label[],
  seed: number,
): Promise<TrainingSet> {
  const rows: Float32Array[] = [];
  const isWorn: number[] = [];
  const label: number[] = [];
  for (const [k, face] of faces.entries()) {
    const { glasses } = labels[k]!;
    if (glasses === 'unknown' || face.second % FRAMES_APART !== 0) continue;
    const random = seededRandom(seed + SEED_STEP * k);
    const add = async (count: number, isDrawn: boolean): Promise<void> => {
      for (let n = 0; n < count; n++) {
        const photo = copyPhoto(face);
        if (random() < DISTRACTED_SHARE) drawDistractors(photo.image, photo.landmarks, random);
        if (isDrawn) drawGlasses(photo.image, photo.landmarks, random);
        const varied = await varyPhoto(photo, Math.min(face.size, LARGEST_FACE_PX), random);
        const sides = varied.size > SMALL_FACE_PX ? 2 : 3;
        rows.push(featuresOf(varied, SIDES[Math.floor(sides * random())]!));
        isWorn.push(glasses === 'yes' || isDrawn ? 1 : 0);
        label.push(k);
      }
    };
    if (glasses === 'yes') await add(VARIANTS.worn, false);
    else {
      await add(VARIANTS.bare, false);
      await add(VARIANTS.drawn, true);
    }
  }
  const features = new Float32Array(rows.length * FEATURE_COUNT);
  for (const [n, row] of rows.entries()) features.set(row, n * FEATURE_COUNT);
  return { features, isWorn: Uint8Array.from(isWorn), label: Uint16Array.from(label) };
}
