/**
 * Longest time between readings for which a frame between them may be interpolated. No blink (100
 * ms) and no closing of the lips (80 ms) fits into it.
 */
const MAX_GAP_SECONDS = 0.09;
/** Time without motion from which a face is quiet. Between two syllables, lips pause for less. */
const QUIET_SECONDS = 0.2;
/** Number of frames from one reading to the next while frames between them stay unread. */
const READING_STRIDE = 2;
/** Number of frames whose measures are kept. */
const SLOT_COUNT = 2 * READING_STRIDE + 1;

/**
 * Distance by which lips may leave an even motion, in sizes of the face: a tenth of their motion in
 * speech.
 */
const LIPS_TOLERANCE = 0.01;
/**
 * Distance by which eyes may leave an even motion, in sizes of the face, above the landmark
 * network's tremble.
 */
const EYES_TOLERANCE = 0.006;
/** Distances between two vertices that show the motion of the face, with their tolerances. */
const DISTANCES: readonly (readonly [number, number, number])[] = [
  // Lips: inner edges, outer edges, corners; then corners to eyes, and chin to bridge of the nose.
  [13, 14, LIPS_TOLERANCE],
  [0, 17, LIPS_TOLERANCE],
  [61, 291, LIPS_TOLERANCE],
  [61, 33, LIPS_TOLERANCE],
  [291, 263, LIPS_TOLERANCE],
  [152, 6, LIPS_TOLERANCE],
  // Brows to lids.
  [105, 159, LIPS_TOLERANCE],
  [334, 386, LIPS_TOLERANCE],
  // Lids, and irises between the eyes' corners.
  [159, 145, EYES_TOLERANCE],
  [386, 374, EYES_TOLERANCE],
  [468, 33, EYES_TOLERANCE],
  [468, 133, EYES_TOLERANCE],
  [473, 263, EYES_TOLERANCE],
  [473, 362, EYES_TOLERANCE],
];
/** Vertices that move with the head: corners of the eyes, forehead, ears, nose. */
const HEAD_VERTICES = [33, 263, 10, 234, 454, 1] as const;
/**
 * Largest bend of the head's path between readings, in sizes of the face. The middle is then wrong
 * by a quarter of the bend, which registration can see.
 */
const HEAD_TOLERANCE = 0.012;
/** Number of measures of a frame. */
const MEASURE_COUNT = DISTANCES.length + 2 * HEAD_VERTICES.length;

/**
 * Finds where a face is so still, or moves so evenly, that every second frame may stay unread. The
 * mesh of the frame between is then the mean (by time) of its neighbours', within the network's own
 * tremble.
 *
 * A face is quiet if, during the last `QUIET_SECONDS`, each measure was close to the line between
 * its values two frames earlier and two frames later. While the face is quiet, every second frame
 * stays unread. If the next reading does not fit the line, the unread frame is read after all. So
 * the first frame of a blink or a word is among those that are read.
 *
 * An instance is for one face in one scene. A face that is lost or found again needs another one.
 */
export class QuietFace {
  /** Measures of the last frames, pixels. Frame `f` is in slot `f % SLOT_COUNT`. */
  readonly #slots = Array.from({ length: SLOT_COUNT }, () => new Float32Array(MEASURE_COUNT));
  readonly #times = new Float64Array(SLOT_COUNT).fill(-Infinity);
  #restlessSeconds = Infinity;
  #isQuiet = false;

  /**
   * Adds the face as the network read it in a frame, in the order of the frames. Leave out a frame
   * that was read later than its successor.
   * @param frame its number, 0 or above
   * @param landmarks 478 x (x, y, z), pixels
   * @param size of the face, pixels
   */
  read(frame: number, timeSeconds: number, landmarks: Float32Array, size: number): void {
    const slot = frame % SLOT_COUNT;
    watch(landmarks, this.#slots[slot]!);
    this.#times[slot] = timeSeconds;
    if (!this.#isEven(frame, size)) this.#restlessSeconds = timeSeconds;
    this.#isQuiet = timeSeconds - this.#restlessSeconds >= QUIET_SECONDS;
  }

  /**
   * Whether the face was quiet at the last reading. An unread frame before it can then be
   * interpolated, and the frame after it can be left unread.
   */
  get isQuiet(): boolean {
    return this.#isQuiet;
  }

  /** Returns whether the frame two before `frame` lay between its neighbours. */
  #isEven(frame: number, size: number): boolean {
    const a = (frame + SLOT_COUNT - 2 * READING_STRIDE) % SLOT_COUNT;
    const b = (frame + SLOT_COUNT - READING_STRIDE) % SLOT_COUNT;
    const c = frame % SLOT_COUNT;
    const back = this.#times[b]! - this.#times[a]!;
    const forth = this.#times[c]! - this.#times[b]!;
    if (!isNear(back) || !isNear(forth)) return false;
    return isBetween(this.#slots[a]!, this.#slots[b]!, this.#slots[c]!, back / (back + forth), size);
  }
}

/**
 * Returns whether a gap is that of two readings; false for an unread frame, or for an older frame
 * in its slot.
 */
function isNear(gapSeconds: number): boolean {
  return gapSeconds > 0 && gapSeconds <= MAX_GAP_SECONDS;
}

/** Writes the distances, then the head's x and y, pixels. */
function watch(landmarks: Float32Array, out: Float32Array): void {
  let i = 0;
  for (const [a, b] of DISTANCES) {
    const x = landmarks[3 * a]! - landmarks[3 * b]!;
    const y = landmarks[3 * a + 1]! - landmarks[3 * b + 1]!;
    out[i++] = Math.sqrt(x * x + y * y);
  }
  for (const v of HEAD_VERTICES) {
    out[i++] = landmarks[3 * v]!;
    out[i++] = landmarks[3 * v + 1]!;
  }
}

function isBetween(a: Float32Array, b: Float32Array, c: Float32Array, share: number, size: number): boolean {
  for (let i = 0; i < MEASURE_COUNT; i++) {
    const most = (i < DISTANCES.length ? DISTANCES[i]![2] : HEAD_TOLERANCE) * size;
    if (Math.abs(a[i]! + share * (c[i]! - a[i]!) - b[i]!) > most) return false;
  }
  return true;
}
