import { blue, isInside, lumaOf, red, sampleFour, sampleInside, wholeOf, within } from './sample';
import { storeSome } from './store-some';

/**
 * Kernel of src/face/spread-triangles.ts. `images` has 32 bytes for each image: address, stride,
 * last column, last row (32 bits each), and the coordinates of its first pixel's corner (64-bit
 * floats).
 */
export function spreadTriangles(
  count: i32,
  first: usize,
  row: usize,
  left: usize,
  right: usize,
  maps: usize,
  imageOf: usize,
  images: usize,
  side: i32,
  lumaOut: usize,
  blueOut: usize,
  redOut: usize,
  valueOut: usize,
  redShare: f32,
  greenShare: f32,
  blueShare: f32,
  blueScale: f32,
  redScale: f32,
): void {
  const ramp = f32x4(0, 1, 2, 3);
  const redShares = f32x4.splat(redShare);
  const greenShares = f32x4.splat(greenShare);
  const blueShares = f32x4.splat(blueShare);
  const blueScales = f32x4.splat(blueScale);
  const redScales = f32x4.splat(redScale);
  const zero = f32x4.splat(0);
  for (let t = 0; t < count; t++, first += 4, maps += 72) {
    const runs = load<u32>(first);
    const runsEnd = load<u32>(first, 4);
    if (runs === runsEnd) continue;
    const image = images + (usize(load<u8>(imageOf + usize(t))) << 5);
    const address = usize(load<u32>(image));
    const stride = load<i32>(image, 4);
    const strides = i32x4.splat(stride);
    const lastX = load<i32>(image, 8);
    const lastY = load<i32>(image, 12);
    const mostX = i32x4.splat(lastX);
    const mostY = i32x4.splat(lastY);
    const xPerColumn = load<f64>(maps);
    const yPerColumn = load<f64>(maps, 24);
    const valuePerColumn = load<f64>(maps, 48);
    const alongX = f32x4.mul(f32x4.splat(f32(xPerColumn)), ramp);
    const alongY = f32x4.mul(f32x4.splat(f32(yPerColumn)), ramp);
    const alongValue = f32x4.mul(f32x4.splat(f32(valuePerColumn)), ramp);
    const fourX = f32x4.splat(f32(4 * xPerColumn));
    const fourY = f32x4.splat(f32(4 * yPerColumn));
    const fourValues = f32x4.splat(f32(4 * valuePerColumn));
    for (let run = usize(runs); run < usize(runsEnd); run++) {
      const rowNumber = i32(load<u16>(row + (run << 1)));
      const from = i32(load<u16>(left + (run << 1)));
      const to = i32(load<u16>(right + (run << 1)));
      const v = f64(rowNumber) + 0.5;
      const u = f64(from) + 0.5;
      const x = xPerColumn * u + load<f64>(maps, 8) * v + load<f64>(maps, 16) - 0.5 - load<f64>(image, 16);
      const y = yPerColumn * u + load<f64>(maps, 32) * v + load<f64>(maps, 40) - 0.5 - load<f64>(image, 24);
      const value = valuePerColumn * u + load<f64>(maps, 56) * v + load<f64>(maps, 64);
      const wholeX = wholeOf(x);
      const wholeY = wholeOf(y);
      const columns = i32x4.splat(wholeX);
      const rows = i32x4.splat(wholeY);
      let restX = f32x4.add(f32x4.splat(f32(x - f64(wholeX))), alongX);
      let restY = f32x4.add(f32x4.splat(f32(y - f64(wholeY))), alongY);
      let values = f32x4.add(f32x4.splat(f32(value)), alongValue);
      // The last vector also samples places that are not stored.
      const steps = f64(((to - from + 3) & ~3) - 1);
      const inside = isInside(x, x + steps * xPerColumn, lastX) && isInside(y, y + steps * yPerColumn, lastY);
      let at = usize(rowNumber * side + from) << 2;
      for (let rest = to - from; rest > 0; rest -= 4, at += 16) {
        let shown = f32x4.pmax(zero, values);
        if (inside) sampleInside(address, usize(stride), strides, columns, rows, restX, restY);
        else {
          sampleFour(address, usize(stride), strides, mostX, mostY, columns, rows, restX, restY, true);
          shown = v128.and(shown, within);
        }
        const luma = lumaOf(redShares, greenShares, blueShares);
        const blues = f32x4.mul(f32x4.sub(blue, luma), blueScales);
        const reds = f32x4.mul(f32x4.sub(red, luma), redScales);
        if (rest >= 4) {
          v128.store(lumaOut + at, luma);
          v128.store(blueOut + at, blues);
          v128.store(redOut + at, reds);
          v128.store(valueOut + at, shown);
        } else {
          storeSome(lumaOut + at, luma, rest);
          storeSome(blueOut + at, blues, rest);
          storeSome(redOut + at, reds, rest);
          storeSome(valueOut + at, shown, rest);
        }
        restX = f32x4.add(restX, fourX);
        restY = f32x4.add(restY, fourY);
        values = f32x4.add(values, fourValues);
      }
    }
  }
}
