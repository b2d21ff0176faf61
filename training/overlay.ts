import type { RgbImage } from '@guise/kernels/image.ts';

/**
 * A drawing on a transparent ground. Per pixel: red, green and blue times opacity, then opacity.
 */
export type Overlay = Uint8Array;

/** Levels of black and white. */
const GROUNDS = [0, 255] as const;

/** Makes a square of one level. */
function blank(side: number, level: number): RgbImage {
  return { data: new Uint8Array(3 * side * side).fill(level), width: side, height: side };
}

/**
 * Returns the colour and the opacity of each layer of a drawing. Draws it on black and on white:
 * the smaller the difference between both, the more opaque is the drawing.
 * @param draw must draw the same both times
 */
export function overlaysOf<K extends string>(
  names: readonly K[],
  side: number,
  draw: (layers: Readonly<Record<K, RgbImage>>) => void,
): Record<K, Overlay> {
  const [onBlack, onWhite] = GROUNDS.map((level) => {
    const layers = Object.fromEntries(names.map((name) => [name, blank(side, level)])) as Record<K, RgbImage>;
    draw(layers);
    return layers;
  }) as [Record<K, RgbImage>, Record<K, RgbImage>];
  return Object.fromEntries(
    names.map((name) => [name, overlayOf(onBlack[name].data, onWhite[name].data)]),
  ) as Record<K, Overlay>;
}

function overlayOf(onBlack: Uint8Array, onWhite: Uint8Array): Overlay {
  const overlay = new Uint8Array((onBlack.length / 3) * 4);
  for (let pixel = 0; 3 * pixel < onBlack.length; pixel++) {
    overlay.set(onBlack.subarray(3 * pixel, 3 * pixel + 3), 4 * pixel);
    const apart =
      [0, 1, 2].reduce((sum, k) => sum + onWhite[3 * pixel + k]! - onBlack[3 * pixel + k]!, 0) / 3;
    overlay[4 * pixel + 3] = Math.round(255 - apart);
  }
  return overlay;
}
