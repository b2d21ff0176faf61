/** See addLevels in src/plain/add-levels.ts. */
export function addLevels(samples: usize, stride: usize, levels: usize, width: i32, height: i32): void {
  for (let y = 0; y < height; y++, samples += stride) {
    let at = samples;
    let left = width;
    for (; left >= 16; left -= 16, at += 16, levels += 16) {
      const change = v128.load(levels);
      const more = i8x16.max_s(change, i8x16.splat(0));
      const less = i8x16.max_s(i8x16.neg(change), i8x16.splat(0));
      v128.store(at, i8x16.sub_sat_u(i8x16.add_sat_u(v128.load(at), more), less));
    }
    for (; left > 0; left--, at++, levels++)
      store<u8>(at, u8(max(0, min(255, i32(load<u8>(at)) + i32(load<i8>(levels))))));
  }
}
