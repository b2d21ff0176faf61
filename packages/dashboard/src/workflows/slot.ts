import { type FormDeclaration, isUpload } from '@guise/contract/ai-tasks/form.ts';
import { CLIP_FORMATS, type ClipFormat, IMAGE_FORMATS, type ImageFormat } from '@guise/contract/formats.ts';

/** A place of a page for one file or several: an upload field of a workflow's form. */
export interface Slot {
  readonly field: string;
  readonly label: string;
  /** Media types and extensions that the browser's file picker offers. */
  readonly accept: string;
  readonly isMany: boolean;
}

/** Makes the slot of a form's upload field; throws when the form has no such field. */
export function slotOf(form: FormDeclaration, field: string, label: string): Slot {
  const declared = form.fields.find(({ name }) => name === field);
  if (declared === undefined || !isUpload(declared)) throw new Error(`${form.path} has no upload ${field}`);
  return {
    field,
    label,
    accept: declared.formats.flatMap(acceptOf).join(','),
    isMany: declared.maxFiles !== undefined,
  };
}

/** Names one of a slot's files as the service does in its answers. */
export function partName({ field, isMany }: Slot, index: number): string {
  return isMany ? `${field}[${index}]` : field;
}

/** Names a format for a file picker, by extension as well: few systems know all media types. */
function acceptOf(format: ImageFormat | ClipFormat): string[] {
  const { contentType, extensions } = { ...CLIP_FORMATS, ...IMAGE_FORMATS }[format];
  return [contentType, ...extensions.map((extension) => `.${extension}`)];
}
