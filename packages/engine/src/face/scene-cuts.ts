const COLUMNS = 32;
const ROWS = 18;
/** Pixels looked at in each cell, in a square grid. */
const CELL_SAMPLES = 16;
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
  #grid: SampledGrid = { stride: 0, width: 0, height: 0, places: new Uint32Array(0) };

  /** Whether this frame, the next one of the clip, begins a new scene. The first frame does not. */
  isCut(luma: LumaView): boolean {
    const samples = this.#spare;
    if (!isSampled(this.#grid, luma)) this.#grid = sampledGrid(luma);
    meansOfCells(luma.data, this.#grid.places, samples);
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

/** Where the samples of frames of one size lie: `CELL_SAMPLES` of each cell, one cell after the other. */
interface SampledGrid {
  readonly stride: number;
  readonly width: number;
  readonly height: number;
  readonly places: Uint32Array;
}

function isSampled(grid: SampledGrid, { stride, width, height }: LumaView): boolean {
  return grid.stride === stride && grid.width === width && grid.height === height;
}

function sampledGrid({ stride, width, height }: LumaView): SampledGrid {
  const places = new Uint32Array(ROWS * COLUMNS * CELL_SAMPLES);
  const perSide = Math.sqrt(CELL_SAMPLES);
  for (let i = 0; i < places.length; i++) {
    const cell = Math.floor(i / CELL_SAMPLES);
    const down = (Math.floor((i % CELL_SAMPLES) / perSide) + 0.5) / perSide;
    const across = ((i % perSide) + 0.5) / perSide;
    const y = Math.floor(((Math.floor(cell / COLUMNS) + down) * height) / ROWS);
    const x = Math.floor((((cell % COLUMNS) + across) * width) / COLUMNS);
    places[i] = y * stride + x;
  }
  return { stride, width, height, places };
}

/** A mean for each cell: single pixels of fine texture would look like motion. */
function meansOfCells(luma: Uint8Array, places: Uint32Array, out: Float32Array): void {
  for (let cell = 0, i = 0; cell < out.length; cell++) {
    let sum = 0;
    for (const end = i + CELL_SAMPLES; i < end; i++) sum += luma[places[i]!]!;
    out[cell] = sum / CELL_SAMPLES;
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
