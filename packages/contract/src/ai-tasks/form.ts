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

/** Every file field is required; every number field is optional. */
export type FormField = FileField | NumberField;

export interface FormDeclaration {
  readonly path: string;
  readonly fields: readonly FormField[];
}

/** "JPEG, PNG or WebP": for sentences. */
export function formatList(formats: readonly ImageFormat[]): string {
  const names = formats.map((each) => FORMAT_NAMES[each]);
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} or ${names.at(-1)!}`;
}
