import { storeSome } from './store-some';

/** Kernel of src/filter/max-in-place.ts. */
export function maxInPlace(plane: usize, least: usize, count: i32): void {
  for (let left = count; left > 0; left -= 4, plane += 16, least += 16) {
    const most = f32x4.pmax(v128.load(plane), v128.load(least));
    if (left >= 4) v128.store(plane, most);
    else storeSome(plane, most, left);
  }
}
