import { type FormDeclaration, type FormField, isUpload } from '@guise/contract/ai-tasks/form.ts';
import { CLIP_FORMATS, type ClipFormat, IMAGE_FORMATS, type ImageFormat } from '@guise/contract/formats.ts';

/** A place on a page for files: an upload field of a workflow's form. */
export interface Slot {
  readonly label: string;
  /** Media types and extensions that the browser's file picker offers. */
  readonly accept: string;
}

/** Makes the slot for an upload field of a form. Throws if the form has no such field. */
export function slotOf(form: FormDeclaration<FormField>, field: string, label: string): Slot {
  const declared = form.fields.find(({ name }) => name === field);
  if (declared === undefined || !isUpload(declared)) throw new Error(`${form.path} has no upload ${field}`);
  return { label, accept: declared.formats.flatMap(acceptOf).join(',') };
}

/**
 * Returns a format's media type and extensions for a file picker, because few systems know all
 * media types.
 */
function acceptOf(format: ImageFormat | ClipFormat): string[] {
  const { contentType, extensions } = { ...CLIP_FORMATS, ...IMAGE_FORMATS }[format];
  return [contentType, ...extensions.map((extension) => `.${extension}`)];
}
