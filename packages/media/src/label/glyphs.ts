/** A drawn line of guise's own lettering: x0, y0, x1, y1, ... */
type Line = readonly number[];

/**
 * A letter as lines without width. The unit is the height of capitals with their stroke: 0 is the
 * top of capitals, 1 the baseline.
 */
export interface Glyph {
  readonly lines: readonly Line[];
  /** Right end of the lines; their left end is 0. */
  readonly width: number;
}

/** Half of the stroke's width, which surrounds every line. */
export const HALF_STROKE = 0.075;

/** Centre lines of the top of capitals, the top of small letters, the baseline and descenders. */
const [CAPITAL, SMALL, BASE, BELOW] = [HALF_STROKE, 0.29 + HALF_STROKE, 1 - HALF_STROKE, 1.23];

/** Centre and radii of the bowl of small letters. */
const BOWL = { x: 0.26, y: (SMALL + BASE) / 2, rx: 0.26, ry: (BASE - SMALL) / 2 };

/** Radii of the two halves of an s. */
const HOOK = { x: 0.2, rx: 0.19, ry: (BASE - SMALL) / 4 };

/** Height of the bar of an A, and half of the letter's width. */
const BAR = { y: 0.67, half: 0.36 };

/** Number of straight pieces of a full turn. */
const PIECES_A_TURN = 40;

/** The letters of the label. */
export const GLYPHS: Readonly<Record<string, Glyph>> = {
  A: {
    lines: [
      [0, BASE, BAR.half, CAPITAL, 2 * BAR.half, BASE],
      [besideBar(-1), BAR.y, besideBar(1), BAR.y],
    ],
    width: 2 * BAR.half,
  },
  I: { lines: [[0, CAPITAL, 0, BASE]], width: 0 },
  a: { lines: [arc(BOWL, 0, 360), [2 * BOWL.rx, SMALL, 2 * BOWL.rx, BASE]], width: 2 * BOWL.rx },
  c: { lines: [arc(BOWL, 48, 312)], width: 0.45 },
  d: { lines: [arc(BOWL, 0, 360), [2 * BOWL.rx, CAPITAL - 0.04, 2 * BOWL.rx, BASE]], width: 2 * BOWL.rx },
  e: { lines: [[0.01, BOWL.y, ...arc(BOWL, 360, 40)]], width: 2 * BOWL.rx },
  f: {
    lines: [
      [...arc({ x: 0.33, y: 0.21, rx: 0.19, ry: 0.18 }, 280, 180), 0.14, BASE],
      [0, SMALL, 0.34, SMALL],
    ],
    width: 0.36,
  },
  p: { lines: [arc(BOWL, 0, 360), [0, SMALL, 0, BELOW]], width: 2 * BOWL.rx },
  s: {
    lines: [
      [...arc({ ...HOOK, y: SMALL + HOOK.ry }, 325, 90), ...arc({ ...HOOK, y: BASE - HOOK.ry }, 270, 505)],
    ],
    width: 2 * HOOK.x,
  },
  w: { lines: [[0, SMALL, 0.18, BASE, 0.36, SMALL + 0.04, 0.54, BASE, 0.72, SMALL]], width: 0.72 },
};

/** Returns an end of the bar of an A, on its left (-1) or right (1) leg. */
function besideBar(side: number): number {
  return BAR.half + (side * BAR.half * (BAR.y - CAPITAL)) / (BASE - CAPITAL);
}

/** Returns a piece of an ellipse, in degrees clockwise from the right. */
function arc(
  { x, y, rx, ry }: { readonly x: number; readonly y: number; readonly rx: number; readonly ry: number },
  from: number,
  to: number,
): number[] {
  const pieces = Math.ceil((PIECES_A_TURN * Math.abs(to - from)) / 360);
  return Array.from({ length: pieces + 1 }, (_, k) => {
    const angle = ((from + ((to - from) * k) / pieces) * Math.PI) / 180;
    return [x + rx * Math.cos(angle), y + ry * Math.sin(angle)];
  }).flat();
}
