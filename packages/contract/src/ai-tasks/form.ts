import { CLIP_FORMATS, type ClipFormat, IMAGE_FORMATS, type ImageFormat } from '../formats.ts';

/**
 * Types that declare the forms of `/api/ai-tasks`. Each form is declared once: the intake enforces
 * the declaration, and OpenAPI shows it.
 */

interface UploadRules {
  readonly name: string;
  readonly description: string;
  readonly maxBytes: number;
  /** Whether a client may leave the field out. */
  readonly optional?: true;
  /** Name of the field without which this optional one must be sent. */
  readonly unless?: string;
  /** Largest number of files that may be sent under this name; absent means exactly one. */
  readonly maxFiles?: number;
}

/** A still image. */
export interface FileField extends UploadRules {
  readonly kind: 'file';
  readonly formats: readonly ImageFormat[];
}

/** A video or an animation. */
export interface ClipField extends UploadRules {
  readonly kind: 'clip';
  readonly formats: readonly ClipFormat[];
  readonly maxSeconds: number;
}

/** A still, a video or an animation. Its size and length are not checked. */
export interface MediaField extends UploadRules {
  readonly kind: 'media';
  readonly formats: readonly (ImageFormat | ClipFormat)[];
}

export type UploadField = FileField | ClipField | MediaField;

export interface NumberField {
  readonly kind: 'number';
  readonly name: string;
  readonly description: string;
  /** Inclusive. */
  readonly min: number;
  /** Inclusive; absent if the limit depends on the upload. */
  readonly max?: number;
  /** Value if the field is not sent; absent means no value. */
  readonly default?: number;
}

/** One of several words. */
export interface ChoiceField {
  readonly kind: 'choice';
  readonly name: string;
  readonly description: string;
  readonly values: readonly string[];
  /** Value if the field is not sent; absent means no value. */
  readonly default?: string;
  /** Whether a client may leave out a field without a default. */
  readonly optional?: true;
}

/** Name of an engine. */
export interface EngineField {
  readonly kind: 'engine';
  readonly name: string;
  readonly description: string;
  readonly optional: true;
}

/**
 * A property that the workflow always guarantees. A client may send `true` or leave the field out.
 */
export interface GuaranteeField {
  readonly kind: 'guarantee';
  readonly name: string;
  readonly description: string;
}

/** Something that a client may ask for. A client that does not leaves it to the operator. */
export interface SwitchField {
  readonly kind: 'switch';
  readonly name: string;
  readonly description: string;
}

/** A text of one to `maxLength` characters, without spaces at its ends. */
export interface TextField {
  readonly kind: 'text';
  readonly name: string;
  readonly description: string;
  readonly maxLength: number;
  readonly optional?: true;
}

/** The id of a saved face, whose photos take the place of uploaded ones; optional. */
export interface SavedFaceField {
  readonly kind: 'saved-face';
  readonly name: string;
  readonly description: string;
  readonly optional: true;
}

/** A JSON object that describes where a face is (docs/spec/ai-tasks#group-photo). */
export interface FaceBoxField {
  readonly kind: 'face-box';
  readonly name: string;
  readonly description: string;
  readonly optional?: true;
}

/** A JSON object that describes whose face to replace in a video or GIF. */
export interface PersonBoxField {
  readonly kind: 'person-box';
  readonly name: string;
  readonly description: string;
  readonly optional?: true;
}

/** Field of a form that creates a task. Every number field is optional. */
export type TaskField =
  | FileField
  | ClipField
  | NumberField
  | ChoiceField
  | EngineField
  | GuaranteeField
  | SwitchField
  | TextField
  | SavedFaceField
  | FaceBoxField
  | PersonBoxField;
export type FormField = TaskField | MediaField;

export interface FormDeclaration<Field extends FormField = TaskField> {
  readonly path: string;
  readonly fields: readonly Field[];
  /** Largest number of files in all fields together. */
  readonly maxFiles?: number;
  /** Largest size of all files together, in bytes. */
  readonly maxFilesBytes?: number;
  /** Largest size of the whole body in bytes, including what multipart adds. */
  readonly maxRequestBytes?: number;
}

/** Lists formats for sentences: "PNG, GIF or MP4". */
export function mediaFormatList(formats: readonly (ImageFormat | ClipFormat)[]): string {
  return listOf(formats.map((each) => ({ ...CLIP_FORMATS, ...IMAGE_FORMATS })[each].name));
}

/** Lists formats for sentences: "JPEG, PNG or WebP". */
export function formatList(formats: readonly ImageFormat[]): string {
  return listOf(formats.map((each) => IMAGE_FORMATS[each].name));
}

/** Lists formats for sentences: "MP4, MOV or WebM". */
export function clipFormatList(formats: readonly ClipFormat[]): string {
  return listOf(formats.map((each) => CLIP_FORMATS[each].name));
}

function listOf(names: readonly string[]): string {
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} or ${names.at(-1)!}`;
}

export function isUpload(field: FormField): field is UploadField {
  return field.kind === 'file' || field.kind === 'clip' || field.kind === 'media';
}
