/**
 * What a form of `/api/ai-tasks` may hold, declared once: the intake enforces it and the OpenAPI description shows it.
 */

/** Still formats by content; HEIC and HEIF are one container, told apart by nobody. */
export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'bmp' | 'heif' | 'avif';

const FORMAT_NAMES: Record<ImageFormat, string> = {
  jpeg: 'JPEG',
  png: 'PNG',
  webp: 'WebP',
  gif: 'GIF',
  bmp: 'BMP',
  heif: 'HEIC/HEIF',
  avif: 'AVIF',
};

export interface FileField {
  readonly kind: 'file';
  readonly name: string;
  readonly description: string;
  readonly formats: readonly ImageFormat[];
  readonly maxBytes: number;
  /** May be left out. */
  readonly optional?: true;
  /** Sent once a file, 1 to so many times under the one name; absent: once. */
  readonly maxFiles?: number;
}

export interface NumberField {
  readonly kind: 'number';
  readonly name: string;
  readonly description: string;
  /** Inclusive. */
  readonly min: number;
  /** Inclusive. */
  readonly max: number;
  readonly default: number;
}

/** One word of a list. */
export interface ChoiceField {
  readonly kind: 'choice';
  readonly name: string;
  readonly description: string;
  readonly values: readonly string[];
  /** Absent: the field is required. */
  readonly default?: string;
}

/** A JSON object that says where a face is (spec: Group photo, `faceBoxN`). */
export interface FaceBoxField {
  readonly kind: 'face-box';
  readonly name: string;
  readonly description: string;
  readonly optional?: true;
}

/** Every number field is optional. */
export type FormField = FileField | NumberField | ChoiceField | FaceBoxField;

export interface FormDeclaration {
  readonly path: string;
  readonly fields: readonly FormField[];
  /** All files of all fields. */
  readonly maxFiles?: number;
  /** Content of all files together. */
  readonly maxFilesBytes?: number;
  /** The whole body, with what multipart adds. */
  readonly maxRequestBytes?: number;
}

/** "JPEG, PNG or WebP": for sentences. */
export function formatList(formats: readonly ImageFormat[]): string {
  const names = formats.map((each) => FORMAT_NAMES[each]);
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} or ${names.at(-1)!}`;
}
