import type { PlaneColours } from '@guise/kernels/frame-planes.ts';

/**
 * Conversion between Y'CbCr and R'G'B' for the matrix and range of a stream (ITU-T H.273), as
 * integers scaled by 2^13. Edits are written back as differences, so the two directions may be
 * inexact inverses.
 */
export interface ColourMatrix {
  /** Luma of black: 16 or 0. */
  blackLuma: number;
  /** Weights from the planes to RGB: R = luma*(Y-black) + rCr*(Cr-128), G and B likewise. */
  luma: number;
  rCr: number;
  gCb: number;
  gCr: number;
  bCb: number;
  /** Weights from RGB to the planes: Y = yR*R + yG*G + yB*B, Cb and Cr likewise. */
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

/** Kr and Kb of BT.709, which HD uses. */
const BT709_KR_KB = [0.2126, 0.0722] as const;

/** Kr and Kb of BT.601, which SD and JPEG use. */
const BT601_KR_KB = [0.299, 0.114] as const;

/** Kr and Kb of BT.2020, which UHD and HDR use. */
const BT2020_KR_KB = [0.2627, 0.0593] as const;

/** Kr and Kb of SMPTE 240M, which early HD used. */
const SMPTE240_KR_KB = [0.212, 0.087] as const;

/** Kr and Kb of FCC 73.682, which NTSC used. */
const FCC_KR_KB = [0.3, 0.11] as const;

/** Kr and Kb by H.273's MatrixCoefficients number. */
const KR_KB_BY_MATRIX: Readonly<Record<number, readonly [number, number]>> = {
  1: BT709_KR_KB,
  4: FCC_KR_KB,
  5: BT601_KR_KB,
  6: BT601_KR_KB,
  7: SMPTE240_KR_KB,
  9: BT2020_KR_KB,
  10: BT2020_KR_KB,
};

/**
 * Makes the conversion for a matrix and range.
 * @param matrix H.273 MatrixCoefficients. If it is 2 (unspecified) or not in the table, the matrix
 * is guessed as players do: BT.709 for HD, BT.601 for smaller pictures
 * @param fullRange whether values span 0..255, instead of 16..235 for luma and 16..240 for chroma
 */
export function colourMatrix(
  matrix: number,
  fullRange: boolean,
  width: number,
  height: number,
): ColourMatrix {
  const hd = Math.min(width, height) > 576 || Math.max(width, height) >= 1280;
  const [kr, kb] = KR_KB_BY_MATRIX[matrix] ?? (hd ? BT709_KR_KB : BT601_KR_KB);
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

/** Returns the weights from RGB to the planes, without the factor 2^13. */
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
