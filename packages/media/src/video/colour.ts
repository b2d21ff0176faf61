import type { PlaneColours } from '@guise/kernels/frame-planes.ts';

/**
 * Y'CbCr <-> R'G'B' as integers scaled by 2^13, for the matrix and range of a stream (ITU-T H.273).
 * The edit is written back as a difference, so the two directions need not be exact inverses.
 */
export interface ColourMatrix {
  /** Luma of black: 16 or 0. */
  blackLuma: number;
  /** Fixed point, 2^13: R = luma*(Y-black) + rCr*(Cr-128), and so on. */
  luma: number;
  rCr: number;
  gCb: number;
  gCr: number;
  bCb: number;
  /** Fixed point, 2^13: Y from R, G, B; Cb = cbR*R + cbG*G + cbB*B; likewise Cr. */
  yR: number;
  yG: number;
  yB: number;
  cbR: number;
  cbG: number;
  cbB: number;
  crR: number;
  crG: number;
  crB: number;
}

const BT709 = [0.2126, 0.0722] as const;
const BT601 = [0.299, 0.114] as const;
const BT2020 = [0.2627, 0.0593] as const;
const SMPTE240 = [0.212, 0.087] as const;
const FCC = [0.3, 0.11] as const;

/** Kr and Kb by H.273's MatrixCoefficients number. */
const COEFFICIENTS: Readonly<Record<number, readonly [number, number]>> = {
  1: BT709,
  4: FCC,
  5: BT601,
  6: BT601,
  7: SMPTE240,
  9: BT2020,
  10: BT2020,
};

/**
 * @param matrix H.273 MatrixCoefficients; 2 (unspecified) is guessed as players do: HD is BT.709,
 * smaller is BT.601
 * @param fullRange 0..255 instead of 16..235 and 16..240
 */
export function colourMatrix(
  matrix: number,
  fullRange: boolean,
  width: number,
  height: number,
): ColourMatrix {
  const hd = Math.min(width, height) > 576 || Math.max(width, height) >= 1280;
  const [kr, kb] = COEFFICIENTS[matrix] ?? (hd ? BT709 : BT601);
  const kg = 1 - kr - kb;
  const lumaSpan = (fullRange ? 255 : 219) / 255;
  const chromaSpan = (fullRange ? 255 : 224) / 255;
  return {
    blackLuma: fullRange ? 0 : 16,
    luma: fixed(1 / lumaSpan),
    rCr: fixed((2 * (1 - kr)) / chromaSpan),
    gCb: fixed((-2 * (1 - kb) * kb) / kg / chromaSpan),
    gCr: fixed((-2 * (1 - kr) * kr) / kg / chromaSpan),
    bCb: fixed((2 * (1 - kb)) / chromaSpan),
    yR: fixed(kr * lumaSpan),
    yG: fixed(kg * lumaSpan),
    yB: fixed(kb * lumaSpan),
    cbR: fixed((-kr / (2 * (1 - kb))) * chromaSpan),
    cbG: fixed((-kg / (2 * (1 - kb))) * chromaSpan),
    cbB: fixed(0.5 * chromaSpan),
    crR: fixed(0.5 * chromaSpan),
    crG: fixed((-kg / (2 * (1 - kr))) * chromaSpan),
    crB: fixed((-kb / (2 * (1 - kr))) * chromaSpan),
  };
}

/** The same towards the planes, as plain numbers. */
export function planeColours(matrix: ColourMatrix): PlaneColours {
  const { yR, yG, yB, cbR, cbG, cbB, crR, crG, crB } = matrix;
  return {
    offset: [matrix.blackLuma, 128, 128],
    weights: [yR, yG, yB, cbR, cbG, cbB, crR, crG, crB].map((value) => value / 8192),
  };
}

function fixed(value: number): number {
  return Math.round(value * 8192);
}

const NUMBERS: Readonly<Record<string, number>> = {
  bt709: 1,
  fcc: 4,
  bt470bg: 5,
  smpte170m: 6,
  smpte240m: 7,
  bt2020nc: 9,
  bt2020c: 10,
};

/** FFmpeg's name for a matrix as H.273's number; 2 (unspecified) for anything else. */
export function matrixByName(name: string | undefined): number {
  return NUMBERS[name ?? ''] ?? 2;
}
