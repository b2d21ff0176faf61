import { blue, green, placeFour, red } from './sample';
import { storeSome } from './store-some';

/**
 * See src/warp.ts. The image is interleaved RGB, rows `stride` bytes apart; `x` and `y` are where the first output pixel's centre lies (0 is the
 * centre of the first source pixel), the other four how far a column and a row lead. Further than `margin` outside there
 * are only the offsets. The three planes lie one behind the other, in the order of the image's channels or `reversed`.
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
  const alongX = f32x4.mul(f32x4.splat(f32(xPerColumn)), f32x4(0, 1, 2, 3));
  const alongY = f32x4.mul(f32x4.splat(f32(yPerColumn)), f32x4(0, 1, 2, 3));
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column += 4, out += 16) {
      const atX = x + xPerRow * f64(row) + xPerColumn * f64(column);
      const atY = y + yPerRow * f64(row) + yPerColumn * f64(column);
      placeFour(image, stride, lastX, lastY, atX, atY, alongX, alongY);
      let redValues = f32x4.add(f32x4.mul(red, scales), reds);
      let greenValues = f32x4.add(f32x4.mul(green, scales), greens);
      let blueValues = f32x4.add(f32x4.mul(blue, scales), blues);
      if (!reaches(atX, atX + 3 * xPerColumn, margin, lastX) || !reaches(atY, atY + 3 * yPerColumn, margin, lastY)) {
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

/** Whether the whole way from `a` to `b` lies at most `margin` outside. */
// @ts-ignore: decorator
@inline
function reaches(a: f64, b: f64, margin: f64, last: i32): bool {
  return min(a, b) >= -margin && max(a, b) <= f64(last) + margin;
}

/** All bits set for each of four places that lies at most `margin` outside. */
function shownOf(x: f64, y: f64, dx: f64, dy: f64, margin: f64, lastX: i32, lastY: i32): v128 {
  let shown = i32x4.splat(0);
  if (reaches(x, x, margin, lastX) && reaches(y, y, margin, lastY)) shown = i32x4.replace_lane(shown, 0, -1);
  x += dx;
  y += dy;
  if (reaches(x, x, margin, lastX) && reaches(y, y, margin, lastY)) shown = i32x4.replace_lane(shown, 1, -1);
  x += dx;
  y += dy;
  if (reaches(x, x, margin, lastX) && reaches(y, y, margin, lastY)) shown = i32x4.replace_lane(shown, 2, -1);
  x += dx;
  y += dy;
  if (reaches(x, x, margin, lastX) && reaches(y, y, margin, lastY)) shown = i32x4.replace_lane(shown, 3, -1);
  return shown;
}
