import { drawLabel } from '@guise/media/label/draw-label.ts';

/** Samples of a picture, row by row. */
interface GreyPicture {
  readonly data: Uint8Array;
  readonly stride: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns how like the visible label the lower right corner of a picture is: the correlation of its
 * samples with the label where that is opaque, -1..1.
 */
export function labelLikeness({ data, stride, width, height }: GreyPicture): number {
  const label = drawLabel(width, height);
  const pairs: [number, number][] = [];
  for (let i = 0; i < label.alpha.length; i++) {
    if (label.alpha[i] !== 255) continue;
    const at = (label.y + Math.floor(i / label.width)) * stride + label.x + (i % label.width);
    pairs.push([label.levels[i]!, data[at]!]);
  }
  const [drawn, seen] = [0, 1].map((k) => pairs.reduce((sum, pair) => sum + pair[k]!, 0) / pairs.length);
  let [both, drawnSquares, seenSquares] = [0, 0, 0];
  for (const [level, sample] of pairs) {
    both += (level - drawn!) * (sample - seen!);
    drawnSquares += (level - drawn!) ** 2;
    seenSquares += (sample - seen!) ** 2;
  }
  return both / Math.sqrt(drawnSquares * seenSquares || 1);
}
