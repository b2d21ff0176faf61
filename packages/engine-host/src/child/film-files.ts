import { readFile, stat, writeFile } from 'node:fs/promises';
import { type ReadPlan, readPlan } from '@guise/engine/film/film-plan.ts';
import { checkCut, checkShape } from '@guise/media/film/check-film.ts';
import type { FilmCut } from '@guise/media/film/cut-film.ts';
import type { PictureShape } from '@guise/media/video/video-encoder.ts';

/**
 * Limits of any film, the same as of any clip: the longest duration that an interface (v1) accepts.
 */
export const FILM_LIMITS = { maxSeconds: 600 };
/** Largest size of the file of a cut, a study or a plan. The longest film needs far less. */
const MAX_BYTES = 512 * 1024 * 1024;

/** A film's plan, with the cut and the shape that are stored in the same file. */
export interface PlannedFilm {
  readonly plan: ReadPlan;
  readonly cut: FilmCut;
  /** Shape of the film's first picture. */
  readonly shape: PictureShape;
}

/**
 * Reads a file that another job of the film made, perhaps on another machine. The caller must check
 * its content.
 * @throws Error if it is too large
 */
export async function readMade(filePath: string): Promise<Buffer> {
  const { size } = await stat(filePath);
  if (size > MAX_BYTES) throw new Error("A film's file is too large.");
  return await readFile(filePath);
}

/** Writes a file that a job made. The parent process moves it to its final path. */
export async function writeMade(filePath: string, bytes: Uint8Array | string): Promise<void> {
  await writeFile(filePath, bytes, { flush: true });
}

/** @throws Error if the file is not a cut */
export async function readCut(filePath: string): Promise<FilmCut> {
  return checkCut(JSON.parse((await readMade(filePath)).toString('utf8')));
}

/** @throws Error if the file is not a plan */
export async function readPlannedFilm(filePath: string): Promise<PlannedFilm> {
  const plan = readPlan(await readMade(filePath));
  const { cut, shape } = (plan.about ?? {}) as { cut?: unknown; shape?: unknown };
  return { plan, cut: checkCut(cut), shape: checkShape(shape) };
}
