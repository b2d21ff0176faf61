import path from 'node:path';
import { STILL_RESTORE } from '@guise/contract/ai-tasks/forms.ts';
import { loadCanonicalFace } from '@guise/engine/face/geometry/canonical-face.ts';
import type { Face } from '@guise/engine/face/geometry/face.ts';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { pyramidOf } from '@guise/kernels/scale/pyramid.ts';
import { createAtlasLayouts } from '../../packages/engine/src/mesh/uv/atlas-layouts.ts';
import { FRONT_SIDE } from '../../packages/engine/src/mesh/front/front.ts';
import { lookInFront } from '../../packages/engine/src/mesh/front/look-in-front.ts';
import { readTrainedNetwork } from '../../packages/engine/src/models/assets/trained-networks.ts';
import { Model } from '../../packages/engine/src/models/model.ts';
import { readTargetFace } from '../../packages/engine/src/mesh/target/target-face.ts';
import { fixture } from '../../scripts/fixtures.ts';
import { readRgb } from '../../scripts/read-rgb.ts';
import { chooseFace, nearestFace } from '../eye/face-window.ts';
import { type Pair, readPairs } from '../eye/pair-list.ts';
import { DEFECT_SIDE, facePair } from './face-pair.ts';
import { DEFECT_MEASURES, type DefectMeasure, type DefectSubject } from './measure-list.ts';

/** The result of one measure for one pair. */
export interface DefectFigure {
  readonly pair: string;
  readonly value: number;
}

/** A measure with its results, in the order of the pairs. */
export interface MeasuredDefect extends DefectMeasure {
  readonly figures: readonly DefectFigure[];
}

/**
 * Applies each measure to the swaps of the pairs that it concerns.
 * @param outputsDir folder of outputs of `npm run bench:eye -- swap`; null: the pairs are swapped
 */
export async function measureDefects(engine: Engine, outputsDir: string | null): Promise<MeasuredDefect[]> {
  const layouts = createAtlasLayouts(await loadCanonicalFace());
  const layout = layouts(DEFECT_SIDE);
  const network = await Model.open(await readTrainedNetwork('in-front'));
  const figures = DEFECT_MEASURES.map((): DefectFigure[] => []);
  for (const pair of await readPairs('hard')) {
    if (!DEFECT_MEASURES.some(({ concerns }) => concerns(pair))) continue;
    const subject = await subjectOf(pair);
    if (subject === null) continue;
    for (const [k, { concerns, measure }] of DEFECT_MEASURES.entries()) {
      if (!concerns(pair)) continue;
      const value = measure(subject);
      if (Number.isFinite(value)) figures[k]!.push({ pair: pair.id, value });
    }
  }
  await network.close();
  return DEFECT_MEASURES.map((measure, k) => Object.assign({ figures: figures[k]! }, measure));

  async function subjectOf(pair: Pair): Promise<DefectSubject | null> {
    const target = await readRgb(fixture(pair.target));
    const targetFaces = await engine.detect(target);
    const targetFace = chooseFace(targetFaces, target, pair.at);
    if (!targetFace) return null;
    const output =
      outputsDir === null
        ? await swap(engine, pair, target, targetFaces, targetFace)
        : await readRgb(path.join(outputsDir, `${pair.id}.png`));
    const outputFace = nearestFace(await engine.detect(output), targetFace);
    if (!outputFace) return null;
    const front = await lookInFront(network, layouts(FRONT_SIDE), pyramidOf(target), targetFace.landmarks);
    const { occluded } = readTargetFace(layout, pyramidOf(target), targetFace.landmarks, front);
    return {
      ...facePair(layout, [output, outputFace], [target, targetFace]),
      pictures: { output, target },
      targetLandmarks: targetFace.landmarks,
      kept: occluded,
    };
  }
}

async function swap(
  engine: Engine,
  { source }: Pair,
  target: RgbImage,
  targetFaces: readonly Face[],
  targetFace: Face,
): Promise<RgbImage> {
  const { image } = await engine.swapImage({
    source: await readRgb(fixture(source)),
    target,
    targetFaces,
    faceIndex: targetFaces.indexOf(targetFace),
    restore: STILL_RESTORE,
  });
  return image;
}
