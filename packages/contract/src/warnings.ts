import type { DetectedFace, FaceTrait, SwappedFaces } from './work.ts';

/** Role of a face in a swap: the source's face is used, and the target's face is replaced. */
export type FaceRole = 'source' | 'target';

/** Length of a source face's longer side, in pixels, below which the result is not sharp. */
const SMALL_SOURCE_PX = 150;
/** Enlargement from which a small source face makes the result visibly unsharp. */
const ENLARGED = 1.65;
/** Length of a target face's longer side, in pixels, below which a swap is hardly visible. */
const SMALL_TARGET_PX = 64;
/** Yaw from which a source shows too little of one side of the face, in degrees. */
const TURNED_SOURCE_DEGREES = 30;
/** Yaw from which one side of a target's face is hidden, in degrees. */
const TURNED_TARGET_DEGREES = 45;
/** Detection score below which a face counts as partly covered. */
const COVERED_SCORE = 0.7;
/** Largest number of warnings about one face in one role. The most harmful problems come first. */
const MAX_WARNINGS = 1;

/** A rule that warns about one problem of a face. */
interface WarningRule {
  readonly code: string;
  readonly role: FaceRole;
  /** Returns whether the problem harms the swap. `other` is the swap's other face, if known. */
  readonly applies: (face: DetectedFace, other?: DetectedFace) => boolean;
  /** Returns the message without its subject (the face): what is wrong and what to do. */
  readonly says: (face: DetectedFace) => string;
}

/**
 * Rules for all warnings about a face. Rules of the same role are sorted by harm, the most harmful
 * first (docs/spec/details#warnings).
 */
const WARNINGS = [
  {
    code: 'OCCLUDED_FACE',
    role: 'source',
    applies: isCovered,
    says: () => 'is partly covered; a photo with nothing in front of the face gives a better result.',
  },
  {
    code: 'GLASSES',
    role: 'source',
    applies: (face) => has(face, 'dark-glasses'),
    says: () => 'wears glasses that hide the eyes; a photo without them gives a better face.',
  },
  {
    code: 'PROFILE_FACE',
    role: 'source',
    applies: (face, other) =>
      isTurned(face, TURNED_SOURCE_DEGREES) && !isTurned(other, TURNED_SOURCE_DEGREES),
    says: (face) => `is turned by ${degreesOf(face)} degrees; a photo from the front gives a better face.`,
  },
  {
    code: 'SMALL_FACE',
    role: 'source',
    applies: (face, other) =>
      pixelsOf(face) < SMALL_SOURCE_PX &&
      !(other !== undefined && pixelsOf(other) < ENLARGED * pixelsOf(face)),
    says: (face) =>
      `is only ${pixelsOf(face)} pixels across; one of ${SMALL_SOURCE_PX} pixels or more gives a sharper result.`,
  },
  {
    code: 'BLURRED_FACE',
    role: 'source',
    applies: (face) => has(face, 'blurred'),
    says: () => 'is blurred; a sharper photo gives a sharper result.',
  },
  {
    code: 'HALF_SHUT_EYES',
    role: 'source',
    applies: (face) => has(face, 'half-shut-eyes'),
    says: () => 'has half-shut eyes; a photo with open eyes gives a better result.',
  },
  {
    code: 'BLACK_AND_WHITE',
    role: 'source',
    applies: (face, other) =>
      has(face, 'black-and-white') && !(other !== undefined && has(other, 'black-and-white')),
    says: () => 'is black and white; a colour photo gives a better result.',
  },
  {
    code: 'OCCLUDED_FACE',
    role: 'target',
    applies: isCovered,
    says: () => 'is partly covered; a photo with nothing in front of the face gives a better result.',
  },
  {
    code: 'PROFILE_FACE',
    role: 'target',
    applies: (face) => isTurned(face, TURNED_TARGET_DEGREES),
    says: (face) =>
      `is turned by ${degreesOf(face)} degrees; a face that is turned by less than ${TURNED_TARGET_DEGREES} degrees gives a better result.`,
  },
  {
    code: 'SMALL_FACE',
    role: 'target',
    applies: (face) => pixelsOf(face) < SMALL_TARGET_PX,
    says: (face) => `is only ${pixelsOf(face)} pixels across; a larger face shows more of the new face.`,
  },
] as const satisfies readonly WarningRule[];

/** A warning about a face, with a message that says what is wrong and what to do. */
export interface FaceWarning {
  readonly code: (typeof WARNINGS)[number]['code'];
  readonly role: FaceRole;
  readonly message: string;
}

/** Codes of the warnings about a face. */
export const FACE_WARNING_CODES = [...new Set(WARNINGS.map(({ code }) => code))];

/**
 * Lists the warnings about a face in a role, the most harmful first.
 * @param subject subject of the messages, such as "The face in sourceImage"
 * @param other the swap's other face. Some problems are harmless if this face has them too.
 */
function warnOfFace(
  role: FaceRole,
  subject: string,
  face: DetectedFace,
  other?: DetectedFace,
): FaceWarning[] {
  const rules: readonly WarningRule[] = WARNINGS;
  return rules
    .filter((rule) => rule.role === role && rule.applies(face, other))
    .slice(0, MAX_WARNINGS)
    .map(({ code, says }) => ({
      code: code as FaceWarning['code'],
      role,
      message: `${subject} ${says(face)}`,
    }));
}

/** A warning about the face in a form field. */
export interface FieldWarning extends FaceWarning {
  readonly field: string;
}

/** Lists the warnings about the face in a form field, like `warnOfFace`. */
export function warnOfField(
  field: string,
  role: FaceRole,
  face: DetectedFace,
  other?: DetectedFace,
): FieldWarning[] {
  const warnings = warnOfFace(role, `The face in ${field}`, face, other);
  return warnings.map(({ code, message }) => ({ field, code, role, message }));
}

/**
 * Lists the warnings about the faces of a swap.
 * @param fields form fields in which the faces were sent
 */
export function warnOfSwap(
  { source, target }: SwappedFaces,
  fields: { readonly source: string; readonly target?: string },
): FieldWarning[] {
  const ofSource = warnOfField(fields.source, 'source', source, target);
  if (target === undefined || fields.target === undefined) return ofSource;
  return [...ofSource, ...warnOfField(fields.target, 'target', target)];
}

/** A warning about one face of an image. */
export interface DetectedWarning extends FaceWarning {
  readonly faceIndex: number;
}

/** Lists the warnings about each face of an image, as a source and as a target. */
export function warnOfDetected(faces: readonly DetectedFace[]): DetectedWarning[] {
  return faces.flatMap((face) => {
    const { faceIndex } = face;
    const subject = `Face ${faceIndex}`;
    const warnings = [...warnOfFace('source', subject, face), ...warnOfFace('target', subject, face)];
    return warnings.map(({ code, role, message }) => ({ faceIndex, code, role, message }));
  });
}

/**
 * Lists the warnings about replacing a person of a clip.
 * @param face the face in the frame that shows the person best
 */
export function warnOfPerson(personIndex: number, face: DetectedFace): FaceWarning[] {
  return warnOfFace('target', `Person ${personIndex}`, face);
}

function has({ traits = [] }: DetectedFace, trait: FaceTrait): boolean {
  return traits.includes(trait);
}

function isCovered(face: DetectedFace): boolean {
  return face.score < COVERED_SCORE || has(face, 'covered');
}

function isTurned(face: DetectedFace | undefined, degrees: number): boolean {
  return face !== undefined && Math.abs(face.yaw) >= degrees;
}

function degreesOf({ yaw }: DetectedFace): number {
  return Math.round(Math.abs(yaw));
}

function pixelsOf({ width, height }: DetectedFace): number {
  return Math.round(Math.max(width, height));
}
