import type { Atlas } from '../uv/atlas.ts';

/**
 * Paints a face by a function for tests: luma and the two colour differences at (u, v), 0..1, with
 * v from the forehead down. The whole face is turned to the camera.
 */
export function paintedAtlas(
  side: number,
  paint: (u: number, v: number, texel: number) => readonly [luma: number, blue: number, red: number],
): Atlas {
  const count = side * side;
  const atlas = {
    side,
    luma: new Float32Array(count),
    blue: new Float32Array(count),
    red: new Float32Array(count),
    facing: new Float32Array(count).fill(1),
  };
  for (let i = 0; i < count; i++) {
    const [luma, blue, red] = paint(((i % side) + 0.5) / side, (Math.floor(i / side) + 0.5) / side, i);
    atlas.luma[i] = luma;
    atlas.blue[i] = blue;
    atlas.red[i] = red;
  }
  return atlas;
}
