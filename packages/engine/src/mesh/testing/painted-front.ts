import { emptyFront, type Front, FRONT_SIDE, type FrontKind, OPAQUE_KINDS } from '../front/front.ts';

/** Things that a test paints in front of a face, with their shares, and the face behind them. */
export type PaintedShares = Partial<Record<FrontKind | 'glare' | 'needed', number>> & {
  readonly bare?: readonly [luma: number, blue: number, red: number];
};

/** Paints a front by a function for tests, at (u, v), 0..1, with v from the forehead down. */
export function paintedFront(
  paint: (u: number, v: number, texel: number) => PaintedShares = () => ({}),
): Front {
  const front = emptyFront();
  for (let i = 0; i < FRONT_SIDE * FRONT_SIDE; i++) {
    const u = ((i % FRONT_SIDE) + 0.5) / FRONT_SIDE;
    const v = (Math.floor(i / FRONT_SIDE) + 0.5) / FRONT_SIDE;
    const { glare = 0, needed, bare, ...shares } = paint(u, v, i);
    for (const [kind, share] of Object.entries(shares)) front.shares[kind as FrontKind][i] = share;
    front.glare[i] = glare;
    front.needed[i] = needed ?? Math.max(0, ...OPAQUE_KINDS.map((kind) => shares[kind] ?? 0));
    if (bare) [front.bare.luma[i], front.bare.blue[i], front.bare.red[i]] = bare;
  }
  return front;
}
