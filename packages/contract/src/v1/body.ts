/**
 * What a JSON body of `/v1` may hold, declared once: the intake enforces it and the OpenAPI
 * description shows it.
 */

interface Rules {
  readonly name: string;
  readonly description: string;
}

/** One medium: base64, a data URI, or a URL. */
export interface MediaJsonField extends Rules {
  readonly kind: 'image' | 'video';
  /** May be left out. */
  readonly optional?: true;
}

/** An object of declared fields; in messages they are called `name.field`. Optional. */
export interface ObjectJsonField extends Rules {
  readonly kind: 'object';
  readonly fields: readonly JsonField[];
}

/** Several such objects; in messages their fields are called `name[0].field`. Optional. */
export interface ObjectsJsonField extends Rules {
  readonly kind: 'objects';
  readonly fields: readonly JsonField[];
  readonly maxItems: number;
}

/** Several images, at least one. Required. */
export interface MediaListJsonField extends Rules {
  readonly kind: 'images';
}

/** One word of a list, or its default. */
export interface ChoiceJsonField extends Rules {
  readonly kind: 'choice';
  readonly values: readonly string[];
  readonly default: string;
}

/** A whole number from 0. Optional. */
export interface IndexJsonField extends Rules {
  readonly kind: 'index';
}

/** A number from 0. Optional. */
export interface NumberJsonField extends Rules {
  readonly kind: 'number';
}

export interface SwitchJsonField extends Rules {
  readonly kind: 'switch';
  readonly default: boolean;
}

/** Where events are sent. Optional. */
export interface WebhookJsonField extends Rules {
  readonly kind: 'webhook';
}

export type JsonField =
  | MediaJsonField
  | MediaListJsonField
  | ChoiceJsonField
  | IndexJsonField
  | NumberJsonField
  | SwitchJsonField
  | WebhookJsonField
  | ObjectJsonField
  | ObjectsJsonField;

export interface BodyDeclaration {
  readonly path: string;
  readonly fields: readonly JsonField[];
  readonly maxBodyBytes: number;
}
