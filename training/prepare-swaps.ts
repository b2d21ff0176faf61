/**
 * Makes real swaps for training the network `mend`. It swaps people onto pictures of themselves, so
 * the target's picture is the correct result. The source looks like another photo of the person.
 *
 *   node launch.cjs training/prepare-swaps.ts --out DIR [--count N] [--seed N]
 *
 * README.md in this folder describes each file. The same seed gives the same bytes.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { STILL_RESTORE } from '@guise/contract/ai-tasks/forms.ts';
import { TaskFailure } from '@guise/contract/errors.ts';
import { createFaceAnalyser, type FaceAnalyser } from '@guise/engine/face/detect/analyser.ts';
import { largestFace } from '@guise/engine/face/detect/largest-face.ts';
import { loadCanonicalFace } from '@guise/engine/face/geometry/canonical-face.ts';
import type { FindFaults } from '@guise/engine/mesh/mend/mend-face.ts';
import { createMeshSwapper } from '@guise/engine/mesh/swapper.ts';
import type { Atlas, AtlasColours } from '@guise/engine/mesh/uv/atlas.ts';
import { NETWORK_SIDE } from '@guise/engine/mesh/uv/network-window.ts';
import { resizePlane } from '@guise/engine/mesh/uv/resize-plane.ts';
import { ensureModels } from '@guise/engine/models/ensure-models.ts';
import { openSessions } from '@guise/engine/models/sessions.ts';
import { swapImage } from '@guise/engine/pipeline/swap-image.ts';
import { Workspace } from '@guise/kernels/workspace.ts';
import { fixture } from '../scripts/fixtures.ts';
import { readRgb } from '../scripts/read-rgb.ts';
import { seededRandom } from '../scripts/seeded-order.ts';
import { bytesOf, rgbOf } from './atlas-picture.ts';
import { ByteFiles } from './byte-files.ts';
import { choiceBy } from './draw/random-choice.ts';
import { otherPhoto, type Portrait } from './other-photo.ts';
import { learnable, type PersonPicture, readPeople } from './people.ts';

/** Longer side to which pictures are reduced before face detection, pixels. */
const LONGEST_PX = 1600;
/**
 * Most fine detail of a swap, as a multiple of that of the target. Swaps with more are left out,
 * because the network would learn to blur from them.
 */
const MOST_DETAIL = 1.05;
/** Smallest opacity with which a texel counts as the swapped face, 0..255. */
const OPAQUE = 200;
/** A larger contrast of a texel counts as this much fine detail, levels. */
const MOST_CONTRAST = 12;

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    count: { type: 'string', default: '3000' },
    seed: { type: 'string', default: '1' },
    models: { type: 'string', default: path.join(os.tmpdir(), 'guise-bench-models') },
  },
});
if (values.out === undefined) throw new Error('--out is missing: a folder for 1.6 GB.');
await prepare(values.out, Number(values.count), Number(values.seed));

/** A swap: planes of the atlas, as bytes. */
interface SwapPlanes {
  /** Red, green and blue of the target with the swapped face, before `mend` corrects it. */
  readonly seen: Uint8Array;
  /** Red, green and blue of the target. */
  readonly clean: Uint8Array;
  /** How much each texel of the target faces the camera; 255: fully. */
  readonly facing: Uint8Array;
  /** How opaque the swapped face is. */
  readonly drawn: Uint8Array;
}

async function prepare(dir: string, count: number, seed: number): Promise<void> {
  await mkdir(dir, { recursive: true });
  const sessions = await openSessions(await ensureModels(values.models));
  const analyser = createFaceAnalyser(sessions);
  let planes: SwapPlanes | null = null;
  const findFaults: FindFaults = async (...swapped) => {
    planes = swapPlanes(...swapped);
    const none = new Float32Array(NETWORK_SIDE * NETWORK_SIDE);
    return { side: NETWORK_SIDE, luma: none, blue: none, red: none };
  };
  const swapper = createMeshSwapper(await loadCanonicalFace(), sessions.inFront, findFaults);
  const files = new ByteFiles(dir);
  const people: string[] = [];
  const pictures = await learnable(await readPeople());
  const portraits = new Map<PersonPicture, Portrait | null>();
  const random = seededRandom(seed);
  const { oneOf } = choiceBy(random);
  while (people.length < count) {
    const picture = oneOf(pictures);
    if (!portraits.has(picture)) portraits.set(picture, await readPortrait(analyser, picture));
    const portrait = portraits.get(picture);
    if (!portrait) continue;
    const source = await otherPhoto(portrait, 'source', random);
    const target = await otherPhoto(portrait, 'target', random);
    planes = null;
    try {
      await swapImage({ analyser, swapper }, { source, target, restore: STILL_RESTORE });
    } catch (error) {
      // If a photo was changed too much, no face is found in it.
      if (!(error instanceof TaskFailure)) throw error;
    }
    const made = planes as SwapPlanes | null;
    if (!made || detailOf(made.seen, made.drawn) > MOST_DETAIL * detailOf(made.clean, made.drawn)) continue;
    for (const [name, plane] of Object.entries(made)) await files.write(`swap-${name}`, plane);
    people.push(picture.person);
    if (people.length % 100 === 0) console.log(`${people.length} swaps`);
  }
  await files.close();
  await sessions.close();
  await writeFile(path.join(dir, 'swaps.json'), `${JSON.stringify({ side: NETWORK_SIDE, people })}\n`);
  console.log(`${people.length} swaps in ${dir}`);
}

/** Finds the largest face of a picture; null if there is none. */
async function readPortrait(analyser: FaceAnalyser, picture: PersonPicture): Promise<Portrait | null> {
  const image = await readRgb(fixture(picture.file), { longest: LONGEST_PX });
  const face = largestFace(await analyser.detect(image));
  return face ? { picture, image, face } : null;
}

function swapPlanes(swapped: AtlasColours, target: Atlas, opacity: Float32Array): SwapPlanes {
  using space = new Workspace();
  const resized = (plane: Float32Array): Float32Array =>
    resizePlane(plane, swapped.side, NETWORK_SIDE, space);
  const [seen, clean] = [swapped, target].map(({ luma, blue, red }) => {
    return { side: NETWORK_SIDE, luma: resized(luma), blue: resized(blue), red: resized(red) };
  }) as [AtlasColours, AtlasColours];
  const drawn = resized(opacity);
  for (const name of ['luma', 'blue', 'red'] as const)
    for (let i = 0; i < drawn.length; i++)
      seen[name][i] = clean[name][i]! + drawn[i]! * (seen[name][i]! - clean[name][i]!);
  return {
    seen: rgbOf(seen),
    clean: rgbOf(clean),
    facing: bytesOf(resized(target.facing)),
    drawn: bytesOf(drawn),
  };
}

/**
 * Measures the fine detail of the swapped part of a face: the mean difference of green from its
 * four neighbours, levels.
 */
function detailOf(rgb: Uint8Array, drawn: Uint8Array): number {
  let [sum, count] = [0, 1];
  const green = (texel: number): number => rgb[3 * texel + 1]!;
  for (let i = NETWORK_SIDE; i < drawn.length - NETWORK_SIDE; i++) {
    if (drawn[i]! < OPAQUE) continue;
    const around = green(i - 1) + green(i + 1) + green(i - NETWORK_SIDE) + green(i + NETWORK_SIDE);
    sum += Math.min(MOST_CONTRAST, Math.abs(green(i) - around / 4));
    count += 1;
  }
  return sum / count;
}
