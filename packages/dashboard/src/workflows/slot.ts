import {
  type ClipFormat,
  type FormDeclaration,
  type ImageFormat,
  isUpload,
} from '@guise/contract/ai-tasks/form.ts';

/** A place of a page for one file or several: an upload field of a workflow's form. */
export interface Slot {
  readonly field: string;
  readonly label: string;
  /** Media types and extensions that the browser's file picker offers. */
  readonly accept: string;
  readonly isMany: boolean;
}

/** Some also by their extensions, because few systems know their media types. */
const ACCEPT: Record<ImageFormat | ClipFormat, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  bmp: 'image/bmp',
  avif: 'image/avif',
  heif: 'image/heic,image/heif,.heic,.heif',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska,.mkv',
  avi: 'video/x-msvideo,.avi',
  ts: 'video/mp2t,.ts,.m2ts,.mts',
};

/** Makes the slot of a form's upload field; throws when the form has no such field. */
export function slotOf(form: FormDeclaration, field: string, label: string): Slot {
  const declared = form.fields.find(({ name }) => name === field);
  if (declared === undefined || !isUpload(declared)) throw new Error(`${form.path} has no upload ${field}`);
  return {
    field,
    label,
    accept: declared.formats.map((format) => ACCEPT[format]).join(','),
    isMany: declared.maxFiles !== undefined,
  };
}

/** Names one of a slot's files as the service does in its answers. */
export function partName({ field, isMany }: Slot, index: number): string {
  return isMany ? `${field}[${index}]` : field;
}
