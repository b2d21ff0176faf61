import { blue, green, isInside, red, sampleFour, sampleInside, wholeOf } from './sample';
import { storeSome } from './store-some';

/**
 * Kernel of src/scale/warp.ts. The image is interleaved RGB with `stride` bytes per row. `x` and
 * `y` are the place of the first output pixel's centre; 0 is the centre of the first source pixel.
 * The other four numbers are the steps for a column and for a row.
 *
 * Places more than `margin` outside the image get the offsets. The three output planes are
 * consecutive, in the order of the image's channels or `reversed`.
 */
export function warpToPlanes(
  image: usize,
  stride: i32,
  imageWidth: i32,
  imageHeight: i32,
  x: f64,
  y: f64,
  xPerColumn: f64,
  yPerColumn: f64,
  xPerRow: f64,
  yPerRow: f64,
  margin: f64,
  width: i32,
  height: i32,
  scale: f32,
  redOffset: f32,
  greenOffset: f32,
  blueOffset: f32,
  reversed: bool,
  out: usize,
): void {
  const plane = (usize(width) * usize(height)) << 2;
  const redPlane: usize = reversed ? 2 * plane : 0;
  const bluePlane: usize = reversed ? 0 : 2 * plane;
  const lastX = imageWidth - 1;
  const lastY = imageHeight - 1;
  const scales = f32x4.splat(scale);
  const reds = f32x4.splat(redOffset);
  const greens = f32x4.splat(greenOffset);
  const blues = f32x4.splat(blueOffset);
  const strides = i32x4.splat(stride);
  const mostX = i32x4.splat(lastX);
  const mostY = i32x4.splat(lastY);
  const ramp = f32x4(0, 1, 2, 3);
  const alongX = f32x4.mul(f32x4.splat(f32(xPerColumn)), ramp);
  const alongY = f32x4.mul(f32x4.splat(f32(yPerColumn)), ramp);
  const fourX = f32x4.splat(f32(4 * xPerColumn));
  const fourY = f32x4.splat(f32(4 * yPerColumn));
  const span = f64(ANCHOR_COLUMNS - 1);
  let isShown = true;
  let inside = true;
  let wholeX = 0;
  let wholeY = 0;
  let restX = alongX;
  let restY = alongY;
  for (let row = 0; row < height; row++) {
    const rowX = x + xPerRow * f64(row);
    const rowY = y + yPerRow * f64(row);
    for (let column = 0; column < width; column += 4, out += 16) {
      const atX = rowX + xPerColumn * f64(column);
      const atY = rowY + yPerColumn * f64(column);
      if ((column & (ANCHOR_COLUMNS - 1)) === 0) {
        wholeX = wholeOf(atX);
        wholeY = wholeOf(atY);
        restX = f32x4.add(f32x4.splat(f32(atX - f64(wholeX))), alongX);
        restY = f32x4.add(f32x4.splat(f32(atY - f64(wholeY))), alongY);
        isShown =
          reaches(atX, margin, lastX) &&
          reaches(atX + span * xPerColumn, margin, lastX) &&
          reaches(atY, margin, lastY) &&
          reaches(atY + span * yPerColumn, margin, lastY);
        inside =
          isInside(atX, atX + span * xPerColumn, lastX) && isInside(atY, atY + span * yPerColumn, lastY);
      }
      const columns = i32x4.splat(wholeX);
      const rows = i32x4.splat(wholeY);
      if (inside) sampleInside(image, usize(stride), strides, columns, rows, restX, restY);
      else sampleFour(image, usize(stride), strides, mostX, mostY, columns, rows, restX, restY, false);
      restX = f32x4.add(restX, fourX);
      restY = f32x4.add(restY, fourY);
      let redValues = f32x4.add(f32x4.mul(red, scales), reds);
      let greenValues = f32x4.add(f32x4.mul(green, scales), greens);
      let blueValues = f32x4.add(f32x4.mul(blue, scales), blues);
      if (!isShown) {
        const shown = shownOf(atX, atY, xPerColumn, yPerColumn, margin, lastX, lastY);
        redValues = v128.bitselect(redValues, reds, shown);
        greenValues = v128.bitselect(greenValues, greens, shown);
        blueValues = v128.bitselect(blueValues, blues, shown);
      }
      if (column + 4 <= width) {
        v128.store(out + redPlane, redValues);
        v128.store(out + plane, greenValues);
        v128.store(out + bluePlane, blueValues);
      } else {
        const count = width - column;
        storeSome(out + redPlane, redValues, count);
        storeSome(out + plane, greenValues, count);
        storeSome(out + bluePlane, blueValues, count);
        out -= usize(4 - count) << 2;
      }
    }
  }
}

/**
 * Number of columns (a power of two) after which coordinates are computed again, so that rounding
 * errors of 32 bits do not add up.
 */
const ANCHOR_COLUMNS = 16;

/** Returns whether a coordinate is at most `margin` outside of the image. */
// @ts-ignore: decorator
@inline
function reaches(x: f64, margin: f64, last: i32): bool {
  return x >= -margin && x <= f64(last) + margin;
}

/** Returns a mask with all bits set for each of four places that is at most `margin` outside. */
function shownOf(x: f64, y: f64, dx: f64, dy: f64, margin: f64, lastX: i32, lastY: i32): v128 {
  let shown = i32x4.splat(0);
  if (reaches(x, margin, lastX) && reaches(y, margin, lastY)) shown = i32x4.replace_lane(shown, 0, -1);
  x += dx;
  y += dy;
  if (reaches(x, margin, lastX) && reaches(y, margin, lastY)) shown = i32x4.replace_lane(shown, 1, -1);
  x += dx;
  y += dy;
  if (reaches(x, margin, lastX) && reaches(y, margin, lastY)) shown = i32x4.replace_lane(shown, 2, -1);
  x += dx;
  y += dy;
  if (reaches(x, margin, lastX) && reaches(y, margin, lastY)) shown = i32x4.replace_lane(shown, 3, -1);
  return shown;
}
