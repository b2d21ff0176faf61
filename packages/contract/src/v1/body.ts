/**
 * Types that declare the fields of a JSON body of `/v1`. Each body is declared once: the intake
 * enforces the declaration, and the OpenAPI description is made from it.
 */

interface Rules {
  readonly name: string;
  readonly description: string;
}

/** An image or a video, sent as base64, a data URI or a URL. */
export interface MediaJsonField extends Rules {
  readonly kind: 'image' | 'video';
  /** Whether a client may leave the field out. */
  readonly optional?: true;
  /** Name of the field without which this optional one must be sent. */
  readonly unless?: string;
}

/** An optional object with declared fields. Messages name a field `name.field`. */
export interface ObjectJsonField extends Rules {
  readonly kind: 'object';
  readonly fields: readonly JsonField[];
}

/** An optional list of objects with declared fields. Messages name a field `name[0].field`. */
export interface ObjectsJsonField extends Rules {
  readonly kind: 'objects';
  readonly fields: readonly JsonField[];
  readonly maxItems: number;
}

/** A required list of one or more images. */
export interface MediaListJsonField extends Rules {
  readonly kind: 'images';
}

/** One of the listed values. If a client sends none, the default is used. */
export interface ChoiceJsonField extends Rules {
  readonly kind: 'choice';
  readonly values: readonly string[];
  readonly default: string;
}

/** Name of an engine; optional. */
export interface EngineJsonField extends Rules {
  readonly kind: 'engine';
}

/** An optional text of one to `maxLength` characters, without spaces at its ends. */
export interface TextJsonField extends Rules {
  readonly kind: 'text';
  readonly maxLength: number;
}

/** The id of a saved face, whose photos take the place of a sent one; optional. */
export interface SavedFaceJsonField extends Rules {
  readonly kind: 'saved-face';
}

/** An optional whole number, 0 or more. */
export interface IndexJsonField extends Rules {
  readonly kind: 'index';
}

/** An optional number, 0 or more. */
export interface NumberJsonField extends Rules {
  readonly kind: 'number';
}

export interface SwitchJsonField extends Rules {
  readonly kind: 'switch';
  readonly default: boolean;
}

/** An optional URL to which events are sent. */
export interface WebhookJsonField extends Rules {
  readonly kind: 'webhook';
}

export type JsonField =
  | MediaJsonField
  | MediaListJsonField
  | ChoiceJsonField
  | EngineJsonField
  | TextJsonField
  | SavedFaceJsonField
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
