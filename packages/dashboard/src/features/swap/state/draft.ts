import type * as client from '@guise/client';
import { BATCH_FORM, GIF_FORM, GROUP_FORM, PHOTO_FORM, VIDEO_FORM } from '@guise/contract/ai-tasks/forms.ts';
import type { BATCH_MODES, VideoQuality } from '@guise/contract/ai-tasks/forms.ts';
import type { FaceBoxBody } from '@guise/contract/ai-tasks/schemas.ts';

/** What can be changed, in the order of the page. */
export const SWAP_KINDS = ['photo', 'batch', 'group', 'film'] as const;
/** What is changed: one photo, many photos, a group photo, or a video or GIF. */
export type SwapKind = (typeof SWAP_KINDS)[number];

/** A saved face, as the page of swaps shows it. */
export type SavedFace = Pick<client.SavedFace, 'id' | 'name' | 'preview'>;
/** A face to use: an uploaded photo, or a saved face. */
export type Face = File | SavedFace;

/** A face of the group photo, and the face that replaces it. */
export interface Mapping {
  readonly box: Required<FaceBoxBody>;
  readonly face: Face;
}

/** The part of a video that is wanted, in seconds. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

export interface SwapOptions {
  readonly quality?: VideoQuality;
  /** Id of what draws the faces. If absent: the default engine. */
  readonly engine?: string;
  /** Whether the visible label is put on. */
  readonly label?: true;
  /** Whether a video becomes a GIF. */
  readonly asGif?: boolean;
  /** 0 to 1. */
  readonly faceRestoreVisibility?: number;
  /** 0 to 1. */
  readonly restoreVisibility?: number;
  /** Who agreed to the use of the face, and how. */
  readonly consent?: string;
}

/** All that a user has chosen on the page of swaps. */
export interface Draft {
  /** Photos of the face to use; in a batch, one photo for each face. */
  readonly faces: readonly File[];
  /** The saved face to use in place of `faces`. */
  readonly savedFace: SavedFace | null;
  readonly photo: File | null;
  readonly photos: readonly File[];
  readonly group: File | null;
  readonly mappings: readonly Mapping[];
  readonly film: File | null;
  /** Faces of the film's people, by the number of the person. */
  readonly people: ReadonlyMap<number, Face>;
  /** null: the whole film. */
  readonly part: Part | null;
  readonly options: SwapOptions;
}

/** The draft of a visitor who has chosen nothing. */
export const EMPTY_DRAFT: Draft = {
  faces: [],
  savedFace: null,
  photo: null,
  photos: [],
  group: null,
  mappings: [],
  film: null,
  people: new Map(),
  part: null,
  options: {},
};

/** A target, and the form field in which it is sent. */
interface Before {
  readonly file: File;
  readonly field: string;
}

/** A request that makes a swap. */
export interface Order {
  readonly path: string;
  readonly form: FormData;
  /** The targets and their form fields, by the index of the output. */
  readonly befores: readonly Before[];
  /** Start of the wanted part of a film, seconds. */
  readonly startSeconds: number;
}

type Fields = readonly (readonly [name: string, value: File | string])[];

/** Makes the request. Returns a text about what is missing instead, if something is. */
export function orderOf(kind: SwapKind, draft: Draft): Order | string {
  switch (kind) {
    case 'photo':
      return photoOrder(draft);
    case 'batch':
      return batchOrder(draft);
    case 'group':
      return groupOrder(draft);
    case 'film':
      return filmOrder(draft);
  }
}

/** Returns the draft with only those of its saved faces that can be used. */
export function withFaces(draft: Draft, usable: ReadonlySet<string>): Draft {
  const { savedFace, mappings, people } = draft;
  const isUsable = (face: Face): boolean => face instanceof File || usable.has(face.id);
  return {
    ...draft,
    savedFace: savedFace !== null && isUsable(savedFace) ? savedFace : null,
    mappings: mappings.filter(({ face }) => isUsable(face)),
    people: new Map([...people].filter(([, face]) => isUsable(face))),
  };
}

/** Returns whether the result of a film is a GIF. */
export function isGif({ film, options }: Draft): boolean {
  return film?.type === 'image/gif' || options.asGif === true;
}

function photoOrder(draft: Draft): Order | string {
  const { photo, options } = draft;
  const [source, ...more] = sourceFields(draft);
  if (source === undefined) return 'Choose a face';
  if (photo === null) return 'Choose a photo to change';
  return order(
    PHOTO_FORM.path,
    [{ file: photo, field: 'targetImage' }],
    [source, ['targetImage', photo], ...more, ...commonFields(options)],
  );
}

/** Makes the fields of one person's face; none if no face is chosen. */
function sourceFields({ faces, savedFace }: Draft): Fields {
  if (savedFace !== null) return [['sourceFaceId', savedFace.id]];
  return faces.map((file, index) => [index === 0 ? 'sourceImage' : 'additionalSourceImages', file]);
}

function batchOrder({ faces, savedFace, photos, options }: Draft): Order | string {
  if (faces.length === 0 && savedFace === null) return 'Choose a face';
  if (photos.length === 0) return 'Choose photos to change';
  if (faces.length > 1 && photos.length > 1)
    return 'Choose one face for many photos, or one photo for many faces';
  const mode: (typeof BATCH_MODES)[number] = faces.length > 1 ? 'multiToSingle' : 'singleToMulti';
  const targets = photos.map((file, index) => ({ file, field: `targetImages[${index}]` }));
  const befores = faces.length > 1 ? faces.map(() => targets[0]!) : targets;
  return order(BATCH_FORM.path, befores, [
    ['mode', mode],
    ...(savedFace === null
      ? faces.map((file) => ['sourceImages', file] as const)
      : [['sourceFaceId', savedFace.id] as const]),
    ...photos.map((file) => ['targetImages', file] as const),
    ...commonFields(options),
  ]);
}

function groupOrder({ group, mappings, options }: Draft): Order | string {
  if (group === null) return 'Choose a group photo';
  if (mappings.length === 0) return 'Choose a face to replace';
  return order(
    GROUP_FORM.path,
    [{ file: group, field: 'sourceImage' }],
    [
      ['sourceImage', group],
      ...mappings.flatMap(({ box, face }, index) => mappedFields(index, box, face)),
      ...commonFields(options),
    ],
  );
}

function filmOrder(draft: Draft): Order | string {
  const { film, people, part, options } = draft;
  const [source, ...more] = sourceFields(draft);
  if (film === null) return 'Choose a video or GIF to change';
  if (source === undefined && people.size === 0) return 'Choose a face';
  const asGif = isGif(draft);
  const field = asGif ? 'targetGif' : 'targetVideo';
  const fields: Fields = [
    ...(people.size > 0
      ? [...people].flatMap(([personIndex, face], index) => mappedFields(index, { personIndex }, face))
      : [source!, ...(asGif ? [] : more)]),
    [field, film],
    ...(part === null
      ? []
      : [['startSeconds', String(part.start)] as const, ['endSeconds', String(part.end)] as const]),
    ...(asGif || options.quality === undefined ? [] : [['quality', options.quality] as const]),
    ...commonFields(options),
  ];
  const path = (asGif ? GIF_FORM : VIDEO_FORM).path;
  return { ...order(path, [{ file: film, field }], fields), startSeconds: part?.start ?? 0 };
}

function order(path: string, befores: readonly Before[], fields: Fields): Order {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return { path, form, befores, startSeconds: 0 };
}

function mappedFields(index: number, box: object, face: Face): Fields {
  return [
    face instanceof File ? [`targetFace${index}`, face] : [`sourceFaceId${index}`, face.id],
    [`faceBox${index}`, JSON.stringify(box)],
  ];
}

function commonFields(options: SwapOptions): Fields {
  const { faceRestoreVisibility, restoreVisibility, engine, label } = options;
  const consent = options.consent?.trim() || undefined;
  return Object.entries({ faceRestoreVisibility, restoreVisibility, engine, label, consent })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)] as const);
}
