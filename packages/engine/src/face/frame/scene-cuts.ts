/** Number of columns of the grid of cells in which frames are compared. */
const COLUMN_COUNT = 32;
/** Number of rows of that grid. */
const ROW_COUNT = 18;
/** Number of pixels that are sampled in each cell, in a square grid. */
const SAMPLES_PER_CELL = 16;
/** Number of bins of the histogram of luma. */
const BIN_COUNT = 32;
/** Mean change of the samples from which a cut is possible, levels of luma. */
const MIN_CUT_LEVELS = 10;
/** Share of the samples that change their bin from which a cut is possible. */
const MIN_CUT_SHIFT = 0.2;
/** Factor by which a cut exceeds the motion before it. */
const CUT_OVER_MOTION = 3;
/** Mean change above which only a cut is possible, levels of luma. */
const CERTAIN_CUT_LEVELS = 55;
/** Correlation from which two pictures differ only in brightness, as in a flash or a fade. */
const SAME_PICTURE_CORRELATION = 0.8;
/** Share by which each frame changes the remembered motion. */
const MOTION_SHARE = 0.2;

export interface LumaView {
  readonly data: Uint8Array;
  readonly stride: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Finds where a film cuts to another picture, from the changes of a coarse grid of luma samples and
 * of their histogram.
 */
export class SceneCuts {
  #samples: Float32Array<ArrayBuffer> | null = null;
  #spare = new Float32Array(COLUMN_COUNT * ROW_COUNT);
  #motion = 0;
  #grid: SampledGrid = { stride: 0, width: 0, height: 0, places: new Uint32Array(0) };

  /**
   * Returns whether this frame, the next of the clip, begins a new scene. The first frame does not.
   */
  isCut(luma: LumaView): boolean {
    const samples = this.#spare;
    if (!isSampled(this.#grid, luma)) this.#grid = sampledGrid(luma);
    meansOfCells(luma.data, this.#grid.places, samples);
    const before = this.#samples;
    this.#samples = samples;
    if (before === null) {
      this.#spare = new Float32Array(COLUMN_COUNT * ROW_COUNT);
      return false;
    }
    this.#spare = before;
    const step = meanStep(before, samples);
    const isCut =
      step > CERTAIN_CUT_LEVELS ||
      (step > MIN_CUT_LEVELS + CUT_OVER_MOTION * this.#motion &&
        histogramShift(before, samples) > MIN_CUT_SHIFT &&
        correlation(before, samples) < SAME_PICTURE_CORRELATION);
    this.#motion += MOTION_SHARE * ((isCut ? 0 : step) - this.#motion);
    return isCut && correlation(before, samples) < SAME_PICTURE_CORRELATION;
  }
}

/**
 * Positions of the samples in frames of one size: `SAMPLES_PER_CELL` of each cell, cell by cell.
 */
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
  const places = new Uint32Array(ROW_COUNT * COLUMN_COUNT * SAMPLES_PER_CELL);
  const perSide = Math.sqrt(SAMPLES_PER_CELL);
  for (let i = 0; i < places.length; i++) {
    const cell = Math.floor(i / SAMPLES_PER_CELL);
    const down = (Math.floor((i % SAMPLES_PER_CELL) / perSide) + 0.5) / perSide;
    const across = ((i % perSide) + 0.5) / perSide;
    const y = Math.floor(((Math.floor(cell / COLUMN_COUNT) + down) * height) / ROW_COUNT);
    const x = Math.floor((((cell % COLUMN_COUNT) + across) * width) / COLUMN_COUNT);
    places[i] = y * stride + x;
  }
  return { stride, width, height, places };
}

/** Computes the mean of each cell, because single pixels of fine texture would look like motion. */
function meansOfCells(luma: Uint8Array, places: Uint32Array, out: Float32Array): void {
  for (let cell = 0, i = 0; cell < out.length; cell++) {
    let sum = 0;
    for (const end = i + SAMPLES_PER_CELL; i < end; i++) sum += luma[places[i]!]!;
    out[cell] = sum / SAMPLES_PER_CELL;
  }
}

function meanStep(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum / a.length;
}

/**
 * Returns half the sum of the differences of both histograms: 0 if they are equal, 1 if they share
 * nothing.
 */
function histogramShift(a: Float32Array, b: Float32Array): number {
  const bins = new Float32Array(BIN_COUNT);
  const perBin = 256 / BIN_COUNT;
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
  // Two flat pictures count as the same picture.
  return own * other < 1e-6 ? Number(own + other < 1) : both / Math.sqrt(own * other);
}
