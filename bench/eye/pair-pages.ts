import path from 'node:path';
import type { Engine } from '@guise/engine/pipeline/engine.ts';
import type { RgbImage } from '@guise/kernels/image.ts';
import { fixture } from '../../scripts/fixtures.ts';
import { readRgb } from '../../scripts/read-rgb.ts';
import { countFrames, middleOf, momentsOf, readFrames, SHOWN_FRAMES } from './clip-frames.ts';
import type { Page, Panel } from './draw-sheet.ts';
import { chooseFace, cutWindow, type FaceWindow, windowAround } from './face-window.ts';
import type { Pair } from './pair-list.ts';

/** Length of each face on a sheet. */
const FACE_PX = 500;
/**
 * Side of a still's panel, as a multiple of the face's length, so that it shows hair and throat.
 */
const STILL_SURROUNDINGS = 1.6;
/** Side of a clip's panel. It is smaller, because there are twelve rows of panels. */
const CLIP_SURROUNDINGS = 1.3;
/** Number of rows that a person looks at before scrolling. */
const FRAMES_ON_A_PAGE = 3;

/**
 * Draws the pages of one sheet for a pair. `results`: files of pictures 1 and 2; null if the engine
 * refused the pair.
 */
export async function pagesOfPair(
  engine: Engine,
  pair: Pair,
  results: readonly (string | null)[],
): Promise<Page[]> {
  return pair.kind === 'clip' ? clipPages(engine, pair, results) : [await stillPage(engine, pair, results)];
}

async function stillPage(engine: Engine, pair: Pair, results: readonly (string | null)[]): Promise<Page> {
  const target = await readRgb(fixture(pair.target));
  const window = await findWindow(engine, target, pair.at, STILL_SURROUNDINGS);
  if (window === null) throw new Error(`No face is found in ${pair.target}.`);
  const panelPx = FACE_PX * STILL_SURROUNDINGS;
  const swapped = await Promise.all(
    results.map(async (file, at): Promise<Panel> => ({
      label: `${at + 1}`,
      picture: file === null ? null : await cutWindow(await readRgb(file), window, panelPx),
    })),
  );
  const above = [
    await sourcePanel(engine, pair, STILL_SURROUNDINGS),
    { label: 'target', picture: await cutWindow(target, window, panelPx) },
  ];
  return { panelPx, rows: [above, swapped] };
}

/** Draws six moments of the clip, then six consecutive frames from its middle. */
async function clipPages(engine: Engine, pair: Pair, results: readonly (string | null)[]): Promise<Page[]> {
  const panelPx = FACE_PX * CLIP_SURROUNDINGS;
  const targetFile = fixture(pair.target);
  const frameCount = await countFrames(targetFile);
  const wanted = [...momentsOf(frameCount), ...middleOf(frameCount)];
  const target = await readFrames(targetFile, wanted);
  const swapped = await Promise.all(results.map((file) => (file === null ? null : readFrames(file, wanted))));
  const windows = await windowsOfFrames(engine, pair, target);
  const rows = await Promise.all(
    target.map(async (image, at): Promise<Panel[]> => {
      const number = (at % SHOWN_FRAMES) + 1;
      const which = at < SHOWN_FRAMES ? `moment ${number}` : `frame ${number} in a row`;
      const cut = (of: RgbImage): Promise<Buffer> => cutWindow(of, windows[at]!, panelPx);
      return Promise.all([
        cut(image).then((picture) => ({ label: `target, ${which}`, picture })),
        ...swapped.map(async (frames, side) => ({
          label: `${side + 1}, ${which}`,
          picture: frames === null ? null : await cut(frames[at]!),
        })),
      ]);
    }),
  );
  const pages: Page[] = [{ panelPx, rows: [[await sourcePanel(engine, pair, CLIP_SURROUNDINGS)]] }];
  for (let first = 0; first < rows.length; first += FRAMES_ON_A_PAGE) {
    pages.push({ panelPx, rows: rows.slice(first, first + FRAMES_ON_A_PAGE) });
  }
  return pages;
}

/**
 * Returns a window for each frame. It follows the face over the moments, but stays fixed over the
 * consecutive frames, so that trembling is visible.
 */
async function windowsOfFrames(
  engine: Engine,
  pair: Pair,
  frames: readonly RgbImage[],
): Promise<FaceWindow[]> {
  const found = [];
  for (const image of frames) found.push(await findWindow(engine, image, pair.at, CLIP_SURROUNDINGS));
  const any = found.find((window) => window !== null);
  if (!any) throw new Error(`No face is found in ${path.basename(pair.target)}.`);
  const held = found.slice(SHOWN_FRAMES).find((window) => window !== null) ?? any;
  return found.map((window, at) => (at < SHOWN_FRAMES ? (window ?? any) : held));
}

async function sourcePanel(engine: Engine, pair: Pair, surroundings: number): Promise<Panel> {
  const source = await readRgb(fixture(pair.source));
  const window = await findWindow(engine, source, undefined, surroundings);
  if (window === null) throw new Error(`No face is found in ${pair.source}.`);
  return { label: 'source', picture: await cutWindow(source, window, FACE_PX * surroundings) };
}

async function findWindow(
  engine: Engine,
  image: RgbImage,
  at: Pair['at'],
  surroundings: number,
): Promise<FaceWindow | null> {
  const face = chooseFace(await engine.detect(image), image, at);
  return face ? windowAround(face, image, surroundings) : null;
}
