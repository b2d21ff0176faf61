const COLUMNS = 32;
const ROWS = 18;
const BINS = 32;
/** Mean step of the samples, in luma levels, and share of them that changes its level class, from which a cut is possible. */
const LEAST_STEP = 10;
const LEAST_SHIFT = 0.2;
/** A cut stands out from the motion before it by this factor. */
const OVER_MOTION = 3;
/** Beyond this step nothing but a cut is left to think of. */
const CERTAIN_STEP = 55;
/** Pictures alike up to a change of brightness (a flash, a fade) correlate at least so well. */
const SAME_PICTURE = 0.8;
const MOTION_MEMORY = 0.2;

export interface LumaView {
  readonly data: Uint8Array;
  readonly stride: number;
  readonly width: number;
  readonly height: number;
}

/** Tells where a film jumps to another picture: by how far a coarse grid of luma samples and their histogram step. */
export class SceneCuts {
  #samples: Float32Array<ArrayBuffer> | null = null;
  #spare = new Float32Array(COLUMNS * ROWS);
  #motion = 0;

  /** Whether this frame, the next one of the clip, begins a new scene. The first frame does not. */
  isCut(luma: LumaView): boolean {
    const samples = this.#spare;
    sampleGrid(luma, samples);
    const before = this.#samples;
    this.#samples = samples;
    if (before === null) {
      this.#spare = new Float32Array(COLUMNS * ROWS);
      return false;
    }
    this.#spare = before;
    const step = meanStep(before, samples);
    const isCut =
      step > CERTAIN_STEP ||
      (step > LEAST_STEP + OVER_MOTION * this.#motion &&
        histogramShift(before, samples) > LEAST_SHIFT &&
        correlation(before, samples) < SAME_PICTURE);
    this.#motion += MOTION_MEMORY * ((isCut ? 0 : step) - this.#motion);
    return isCut && correlation(before, samples) < SAME_PICTURE;
  }
}

/** Means of 4 x 4 pixels spread over each cell: single pixels of fine texture would look like motion. */
function sampleGrid({ data, stride, width, height }: LumaView, out: Float32Array): void {
  for (let row = 0, i = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++, i++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) {
        const y = Math.floor(((row + (k + 0.5) / 4) * height) / ROWS);
        for (let l = 0; l < 4; l++)
          sum += data[y * stride + Math.floor(((column + (l + 0.5) / 4) * width) / COLUMNS)]!;
      }
      out[i] = sum / 16;
    }
  }
}

function meanStep(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum / a.length;
}

/** Half the sum of the differences of both histograms: 0 alike, 1 nothing in common. */
function histogramShift(a: Float32Array, b: Float32Array): number {
  const bins = new Float32Array(BINS);
  const perBin = 256 / BINS;
  for (let i = 0; i < a.length; i++) {
    bins[Math.floor(a[i]! / perBin)]! += 1;
    bins[Math.floor(b[i]! / perBin)]! -= 1;
  }
  return bins.reduce((sum, value) => sum + Math.abs(value), 0) / (2 * a.length);
}

function correlation(a: Float32Array, b: Float32Array): number {
  let meanA = 0;
  let meanB = 0;
  for (let i = 0; i < a.length; i++) {
    meanA += a[i]! / a.length;
    meanB += b[i]! / b.length;
  }
  let both = 0;
  let own = 0;
  let other = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i]! - meanA;
    const y = b[i]! - meanB;
    both += x * y;
    own += x * x;
    other += y * y;
  }
  // Two flat pictures are one picture.
  return own * other < 1e-6 ? Number(own + other < 1) : both / Math.sqrt(own * other);
}
