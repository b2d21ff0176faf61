import sharp, { type OverlayOptions } from 'sharp';
import { BACKGROUND } from './face-window.ts';
import { LIKENESS_MEANINGS, LIKENESSES, SEAM_MEANINGS, SEAMS } from './grades.ts';

export interface Panel {
  readonly label: string;
  /** A square PNG; null where there is no picture. */
  readonly picture: Buffer | null;
}

/** One picture of a sheet. */
export interface Page {
  readonly rows: readonly (readonly Panel[])[];
  readonly panelPx: number;
}

/** Space around each panel. */
const GAP_PX = 12;
/** Height of the text line above a panel. */
const LABEL_PX = 44;
/** Height of a text line above all panels. */
const HEADER_LINE_PX = 34;
/** Number of columns that the header's text needs. */
const MIN_COLUMNS = 2;

/** Draws rows of panels below a title and the meaning of the grades. */
export async function drawSheet(title: string, { rows, panelPx }: Page): Promise<Buffer> {
  const header = [
    title,
    'Pictures 1 and 2, each by itself. First as a stranger who knows of no swap sees it:',
    ...SEAMS.map((seam) => `${seam}: ${SEAM_MEANINGS[seam]}`),
    'Then as a friend of the source, who is asked whose face it is:',
    LIKENESSES.map((likeness) => `${likeness}: ${LIKENESS_MEANINGS[likeness]}`).join(' '),
  ];
  const headerPx = GAP_PX + header.length * HEADER_LINE_PX;
  const columns = Math.max(MIN_COLUMNS, ...rows.map((row) => row.length));
  const width = GAP_PX + columns * (panelPx + GAP_PX);
  const height = headerPx + rows.length * (LABEL_PX + panelPx + GAP_PX);
  const overlays: OverlayOptions[] = [];
  const texts = header.map((line, at) => text(GAP_PX, GAP_PX + (at + 0.7) * HEADER_LINE_PX, 24, line));
  for (const [row, panels] of rows.entries()) {
    for (const [column, { label, picture }] of panels.entries()) {
      const left = GAP_PX + column * (panelPx + GAP_PX);
      const top = headerPx + row * (LABEL_PX + panelPx + GAP_PX);
      texts.push(text(left, top + 0.75 * LABEL_PX, 30, label));
      if (picture) overlays.push({ input: picture, left, top: top + LABEL_PX });
      else texts.push(text(left, top + LABEL_PX + panelPx / 2, 30, 'no picture: not graded'));
    }
  }
  const lettering = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${texts.join('')}</svg>`;
  return sharp({ create: { width, height, channels: 3, background: BACKGROUND } })
    .composite([...overlays, { input: Buffer.from(lettering), left: 0, top: 0 }])
    .png()
    .toBuffer();
}

function text(x: number, y: number, sizePx: number, line: string): string {
  return `<text x="${x}" y="${y}" font-size="${sizePx}" font-family="sans-serif">${line}</text>`;
}
