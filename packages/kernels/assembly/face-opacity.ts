/** Kernel of src/face/face-opacity.ts. The count is a multiple of 4. */
export function faceOpacity(
  shown: usize,
  softEyes: usize,
  eyes: usize,
  facing: usize,
  count: i32,
  from: f32,
  to: f32,
  eyeGain: f32,
  out: usize,
): void {
  const start = f32x4.splat(from);
  const per = f32x4.splat(1 / (to - from));
  const gain = f32x4.splat(eyeGain);
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  const three = f32x4.splat(3);
  const end = out + (usize(count) << 2);
  for (; out < end; out += 16, shown += 16, softEyes += 16, eyes += 16, facing += 16) {
    const share = f32x4.mul(f32x4.sub(v128.load(facing), start), per);
    const held = f32x4.pmax(zero, f32x4.pmin(one, share));
    const front = f32x4.mul(f32x4.mul(held, held), f32x4.sub(three, f32x4.add(held, held)));
    const depth = f32x4.pmin(one, f32x4.mul(gain, v128.load(softEyes)));
    const own = f32x4.mul(depth, f32x4.sub(one, v128.load(eyes)));
    v128.store(out, f32x4.mul(f32x4.mul(v128.load(shown), f32x4.sub(one, own)), front));
  }
}
