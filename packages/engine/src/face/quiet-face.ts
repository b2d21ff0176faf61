/** A frame is put between readings that lie so near that no blink (100 ms) and no closed lip (80 ms) fits between them. */
const WIDEST_GAP_SECONDS = 0.09;
/** A face is quiet when nothing has moved for the length of a syllable: between two of them lips rest for less. */
const QUIET_SECONDS = 0.2;
/** Frames from one reading to the next while the ones between are left unread. */
const STRIDE = 2;
const SLOTS = 2 * STRIDE + 1;

/**
 * Distances between two vertices that tell what the face does, and by how much each may leave its even way, in shares of the
 * face's size: a tenth of what it goes through in a talking, blinking face, and above the landmark network's tremble.
 */
const LIPS = 0.01;
const EYES = 0.006;
const DISTANCES: readonly (readonly [number, number, number])[] = [
  // Lips: the inner ones, the outer ones, the corners; the corners from the eyes; the chin from the bridge of the nose.
  [13, 14, LIPS],
  [0, 17, LIPS],
  [61, 291, LIPS],
  [61, 33, LIPS],
  [291, 263, LIPS],
  [152, 6, LIPS],
  // Brows over the lids.
  [105, 159, LIPS],
  [334, 386, LIPS],
  // Lids; irises between the eyes' corners.
  [159, 145, EYES],
  [386, 374, EYES],
  [468, 33, EYES],
  [468, 133, EYES],
  [473, 263, EYES],
  [473, 362, EYES],
];
/** Vertices that go where the head goes: corners of the eyes, forehead, ears, nose. */
const HEAD = [33, 263, 10, 234, 454, 1] as const;
/** The middle of a turn that bends so much from reading to reading is off by a quarter of it, which registration sees. */
const HEAD_BEND = 0.012;
const VALUES = DISTANCES.length + 2 * HEAD.length;

/**
 * Tells where a face lies so still, or moves so evenly, that every second frame need not be read: the mesh of the frame
 * between is then the mean (by time) of its neighbours', within the network's own tremble.
 *
 * Quiet is that all that is watched, wherever it was read, lay on the middle between the readings two frames before and
 * after, for the length of a syllable. So a frame is left unread while the face is quiet, and looked at after all if the
 * reading that follows bends: the first frame of a blink or a word is among those that are read.
 *
 * One is for one face in one scene; a face that is lost, or found anew, needs another one.
 */
export class QuietFace {
  /** What was watched in the last frames, pixels: frame `f` in slot `f % SLOTS`. */
  readonly #slots = Array.from({ length: SLOTS }, () => new Float32Array(VALUES));
  readonly #times = new Float64Array(SLOTS).fill(-Infinity);
  #restlessSeconds = Infinity;
  #isQuiet = false;

  /**
   * The face as the network read it in a frame, in the order of the frames. A frame that was left and is read after all
   * comes too late: it is not told.
   * @param frame its number, 0 or above @param landmarks 478 x (x, y, z), pixels @param size of the face, pixels
   */
  read(frame: number, timeSeconds: number, landmarks: Float32Array, size: number): void {
    const slot = frame % SLOTS;
    watch(landmarks, this.#slots[slot]!);
    this.#times[slot] = timeSeconds;
    if (!this.#isEven(frame, size)) this.#restlessSeconds = timeSeconds;
    this.#isQuiet = timeSeconds - this.#restlessSeconds >= QUIET_SECONDS;
  }

  /**
   * Of the last reading: the one frame before it, if it was left, may be put between its neighbours (else it is to be read
   * now), and the one frame after it may be left for the time being.
   */
  get isQuiet(): boolean {
    return this.#isQuiet;
  }

  /** Whether the frame before the last but one lay between its neighbours. */
  #isEven(frame: number, size: number): boolean {
    const a = (frame + SLOTS - 2 * STRIDE) % SLOTS;
    const b = (frame + SLOTS - STRIDE) % SLOTS;
    const c = frame % SLOTS;
    const back = this.#times[b]! - this.#times[a]!;
    const forth = this.#times[c]! - this.#times[b]!;
    if (!isNear(back) || !isNear(forth)) return false;
    return isBetween(this.#slots[a]!, this.#slots[b]!, this.#slots[c]!, back / (back + forth), size);
  }
}

/** Not so for what was never read, nor for what an older frame left in its slot. */
function isNear(gapSeconds: number): boolean {
  return gapSeconds > 0 && gapSeconds <= WIDEST_GAP_SECONDS;
}

/** Distances, then the head's x and y, pixels. */
function watch(landmarks: Float32Array, out: Float32Array): void {
  let i = 0;
  for (const [a, b] of DISTANCES) {
    const x = landmarks[3 * a]! - landmarks[3 * b]!;
    const y = landmarks[3 * a + 1]! - landmarks[3 * b + 1]!;
    out[i++] = Math.sqrt(x * x + y * y);
  }
  for (const v of HEAD) {
    out[i++] = landmarks[3 * v]!;
    out[i++] = landmarks[3 * v + 1]!;
  }
}

function isBetween(a: Float32Array, b: Float32Array, c: Float32Array, share: number, size: number): boolean {
  for (let i = 0; i < VALUES; i++) {
    const most = (i < DISTANCES.length ? DISTANCES[i]![2] : HEAD_BEND) * size;
    if (Math.abs(a[i]! + share * (c[i]! - a[i]!) - b[i]!) > most) return false;
  }
  return true;
}
