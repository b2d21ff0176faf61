import type { DetectedFaces, GuiseError, Warning } from '@guise/client';
import type { SwapKind } from './draft.ts';

/** A file on the page: one of the faces, targets, or replacement faces of a group or film. */
export type Place = `${'face' | 'target' | 'mapped'} ${number}`;

/** What is to say about a file. */
export interface Note {
  /** `error`: the swap would fail or be refused. `skipped`: only this file of a batch fails. */
  readonly tone: 'error' | 'skipped' | 'warning';
  /** Two or three words. */
  readonly label: string;
  /** Whole sentences. */
  readonly text: string;
}

/** Short words for the codes of warnings. Codes that are not listed need no note. */
const LABELS: Partial<Record<Warning['code'], string>> = {
  NO_FACE: 'No face',
  OCCLUDED_FACE: 'Covered',
  GLASSES: 'Glasses',
  PROFILE_FACE: 'Turned',
  SMALL_FACE: 'Small face',
  BLURRED_FACE: 'Blurred',
  HALF_SHUT_EYES: 'Eyes half shut',
  BLACK_AND_WHITE: 'Black and white',
  FACE_NOT_FOUND: 'Not found',
  FACE_BOX_MISMATCH: 'Other face',
  FACE_BOX_CONFLICT: 'Same face twice',
};

/** Codes with which a swap certainly fails, because the worker finds the same faces. */
const FATAL = new Set<Warning['code']>([
  'NO_FACE',
  'FACE_NOT_FOUND',
  'FACE_BOX_MISMATCH',
  'FACE_BOX_CONFLICT',
]);

/**
 * Returns the notes about the files of a swap, by place.
 * @param counts numbers of files of a batch: one without a face is skipped if there are others
 */
export function notesOf(
  kind: SwapKind,
  warnings: readonly Warning[],
  counts: { readonly face: number; readonly target: number },
): Map<Place, Note> {
  const notes = new Map<Place, Note>();
  const faceless = warnings.filter(({ code }) => code === 'NO_FACE').map(({ field }) => placeOf(kind, field));
  for (const { code, field, message } of warnings) {
    const place = placeOf(kind, field);
    const label = LABELS[code];
    if (place === null || label === undefined) continue;
    const side = place.split(' ')[0] as 'face' | 'target';
    const isSkipped =
      kind === 'batch' &&
      code === 'NO_FACE' &&
      faceless.filter((each) => each?.startsWith(side)).length < counts[side];
    const text = sentenceOf(message, field);
    if (isSkipped)
      notes.set(place, { tone: 'skipped', label, text: `${text} It is skipped and not charged.` });
    else notes.set(place, { tone: FATAL.has(code) ? 'error' : 'warning', label, text });
  }
  return notes;
}

/** Returns the note about a refused request, with its place. null if it is about no file. */
export function noteOfError(kind: SwapKind, { field, message }: GuiseError): readonly [Place, Note] | null {
  const place = field === undefined ? null : placeOf(kind, field);
  if (place === null) return null;
  return [place, { tone: 'error', label: 'Not possible', text: sentenceOf(message, field!) }];
}

/** Returns the note about a photo that was looked at by itself. null if there is nothing to say. */
export function noteOfLook(found: DetectedFaces | null): Note | null {
  if (found === null) return null;
  const { faces, warnings = [] } = found;
  const [largest] = faces.toSorted((one, other) => other.width * other.height - one.width * one.height);
  if (largest === undefined)
    return { tone: 'error', label: LABELS.NO_FACE!, text: 'No face was found in this photo.' };
  const warning = warnings.find(
    ({ faceIndex, role }) => faceIndex === largest.faceIndex && role === 'source',
  );
  if (warning === undefined) return null;
  const text = warning.message.replace(`Face ${largest.faceIndex} `, 'This face ');
  return { tone: 'warning', label: LABELS[warning.code]!, text };
}

/** Returns the place of a form field's file. null if the field has no file. */
export function placeOf(kind: SwapKind, field: string): Place | null {
  const [, name, number, photo] = /^([A-Za-z]+)(\d*)(?:\[(\d+)\])?$/.exec(field) ?? [];
  const index = Number(photo ?? 0);
  switch (name) {
    case 'sourceImage':
      return kind === 'group' ? 'target 0' : 'face 0';
    case 'sourceFaceId':
      return number === '' ? 'face 0' : `mapped ${Number(number)}`;
    case 'sourceImages':
      return `face ${index}`;
    case 'additionalSourceImages':
      return `face ${index + 1}`;
    case 'targetImage':
    case 'targetVideo':
    case 'targetGif':
      return 'target 0';
    case 'targetImages':
      return `target ${index}`;
    case 'targetFace':
    case 'faceBox':
      return `mapped ${Number(number)}`;
    default:
      return null;
  }
}

/**
 * Returns a sentence of the service as it is said beside the file, where the name of the form field
 * means nothing.
 */
export function sentenceOf(message: string, field: string): string {
  for (const [begin, instead] of [
    [`The face in ${field} `, 'This face '],
    [`No face was found in ${field}`, 'No face was found in this photo'],
    ['consent ', 'The consent '],
    [`${field} `, field.startsWith('sourceFaceId') ? 'The saved face ' : 'This file '],
  ] as const) {
    if (message.startsWith(begin)) return instead + message.slice(begin.length);
  }
  return message;
}
