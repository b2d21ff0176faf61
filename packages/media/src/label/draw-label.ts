import type { Stamp } from '@guise/kernels/stamp.ts';
import { type Glyph, GLYPHS, HALF_STROKE } from './glyphs.ts';
import { type Box, GreyCanvas, type Paint } from './grey-canvas.ts';

/** Height of capitals, as a share of the picture's shorter side. */
const TEXT_SHARE = 0.025;
/** Least height of capitals, in pixels. */
const MIN_TEXT_PIXELS = 11;
/** Largest width of the label, as a share of the picture's width. */
const MAX_WIDTH_SHARE = 0.4;

/** Letters in the badge. */
const BADGE_TEXT = 'AI';
/** Words beside the badge. */
const WORDS = 'face swapped';

// The following lengths are in heights of capitals.

/** Distance between the lines of two letters. */
const LETTER_GAP = 0.28;
/** Distance between the letters of the badge. */
const BADGE_LETTER_GAP = 0.3;
/** Width of a space, in addition to the gap between letters. */
const SPACE = 0.24;
/** Distance from the badge's letters to its edge. */
const BADGE_PADDING = { x: 0.32, y: 0.26 };
/** Distance from the badge to the plate's edge. */
const PLATE_PADDING = 0.24;
/** Distance from the badge to the words, and from the words to the plate's edge. */
const WORD_GAP = { before: 0.38, after: 0.5 };
/** Radius of the corners of badge and plate. */
const RADIUS = { badge: 0.34, plate: 0.5 };
/** Width of the rim; at least a pixel. */
const RIM = 0.06;
/** Distance from the label to the picture's edges. */
const MARGIN = 0.6;

/** Paints of the label, which can be read on any ground. */
const PAINTS = {
  light: { level: 245, opacity: 1 },
  dark: { level: 18, opacity: 1 },
  plate: { level: 18, opacity: 0.7 },
  plateRim: { level: 245, opacity: 0.6 },
  badgeRim: { level: 18, opacity: 0.7 },
} as const satisfies Record<string, Paint>;

/** Width of the badge, in heights of capitals. */
const BADGE_WIDTH = widthOf(BADGE_TEXT, BADGE_LETTER_GAP) + 2 * BADGE_PADDING.x;
/** Height of the badge, in heights of capitals. */
const BADGE_HEIGHT = 1 + 2 * BADGE_PADDING.y;
/** Width of the plate, in heights of capitals. */
const PLATE_WIDTH =
  PLATE_PADDING + BADGE_WIDTH + WORD_GAP.before + widthOf(WORDS, LETTER_GAP) + WORD_GAP.after;
/** Height of the plate, in heights of capitals. */
const PLATE_HEIGHT = BADGE_HEIGHT + 2 * PLATE_PADDING;

/**
 * Draws the visible label for a picture of this size, for its lower right corner: a badge and
 * words, or the badge alone if the words would be too wide. A tiny picture gets a smaller badge.
 */
export function drawLabel(width: number, height: number): Stamp {
  const wanted = Math.max(MIN_TEXT_PIXELS, TEXT_SHARE * Math.min(width, height));
  const hasWords = PLATE_WIDTH * wanted <= MAX_WIDTH_SHARE * width;
  const size = hasWords
    ? { width: PLATE_WIDTH, height: PLATE_HEIGHT }
    : { width: BADGE_WIDTH, height: BADGE_HEIGHT };
  const fits = Math.min(width / (size.width + 2 * MARGIN), height / (size.height + 2 * MARGIN));
  const unit = Math.min(wanted, fits);
  const [labelWidth, labelHeight] = [Math.round(size.width * unit), Math.round(size.height * unit)];
  const left = Math.max(0, width - labelWidth - Math.round(MARGIN * unit));
  const top = Math.max(0, height - labelHeight - Math.round(MARGIN * unit));
  // Frames have one colour for 2 x 2 pixels, so the stamp begins and ends at such blocks.
  const [x, y] = [left & ~1, top & ~1];
  const canvas = new GreyCanvas(
    evenWithin(left - x + labelWidth, width - x),
    evenWithin(top - y + labelHeight, height - y),
  );
  const box = { x: left - x, y: top - y, width: labelWidth, height: labelHeight };
  if (hasWords) drawPlate(canvas, box, unit);
  else drawBadge(canvas, box, unit, PAINTS.badgeRim);
  return { x, y, width: canvas.width, height: canvas.height, levels: canvas.levels, alpha: canvas.alpha };
}

/** Rounds up to an even number if there is room, else down. */
function evenWithin(length: number, room: number): number {
  const even = (length + 1) & ~1;
  return even <= room ? even : room & ~1;
}

function drawPlate(canvas: GreyCanvas, box: Box, unit: number): void {
  canvas.fillBox(box, RADIUS.plate * unit, PAINTS.plate);
  canvas.strokeBox(box, RADIUS.plate * unit, rimOf(unit), PAINTS.plateRim);
  const badge = {
    x: box.x + PLATE_PADDING * unit,
    y: box.y + PLATE_PADDING * unit,
    width: BADGE_WIDTH * unit,
    height: BADGE_HEIGHT * unit,
  };
  drawBadge(canvas, badge, unit);
  const x = badge.x + badge.width + WORD_GAP.before * unit;
  drawText(canvas, WORDS, { x, y: badge.y + BADGE_PADDING.y * unit, unit, gap: LETTER_GAP }, PAINTS.light);
}

function drawBadge(canvas: GreyCanvas, box: Box, unit: number, rim?: Paint): void {
  canvas.fillBox(box, RADIUS.badge * unit, PAINTS.light);
  if (rim !== undefined) canvas.strokeBox(box, RADIUS.badge * unit, rimOf(unit), rim);
  const x = box.x + BADGE_PADDING.x * unit;
  const y = box.y + BADGE_PADDING.y * unit;
  drawText(canvas, BADGE_TEXT, { x, y, unit, gap: BADGE_LETTER_GAP }, PAINTS.dark);
}

function rimOf(unit: number): number {
  return Math.max(1, RIM * unit);
}

/** Draws letters. @param at left end and top of capitals, in pixels */
function drawText(
  canvas: GreyCanvas,
  text: string,
  {
    x,
    y,
    unit,
    gap,
  }: { readonly x: number; readonly y: number; readonly unit: number; readonly gap: number },
  paint: Paint,
): void {
  let left = HALF_STROKE;
  for (const letter of text) {
    for (const line of glyphOf(letter).lines) {
      const placed = line.map((value, k) => (k % 2 === 0 ? x + (left + value) * unit : y + value * unit));
      canvas.strokeLine(placed, HALF_STROKE * unit, paint);
    }
    left += advanceOf(letter, gap);
  }
}

function widthOf(text: string, gap: number): number {
  const advance = [...text].reduce((sum, letter) => sum + advanceOf(letter, gap), 0);
  return advance - gap + 2 * HALF_STROKE;
}

function advanceOf(letter: string, gap: number): number {
  return letter === ' ' ? SPACE : glyphOf(letter).width + gap;
}

function glyphOf(letter: string): Glyph {
  return GLYPHS[letter] ?? { lines: [], width: 0 };
}
