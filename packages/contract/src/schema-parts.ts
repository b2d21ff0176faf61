import { type TProperties, type TSchema, Type } from 'typebox';

/** Parts that the schemas of all interfaces share. */

export const uuid = Type.String({ format: 'uuid' });
export const dateTime = Type.String({ format: 'date-time' });

/** Makes the schema of a value that may be null. */
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Makes the schema of an object that has no other members. */
export function closedObject<T extends TProperties>(
  properties: T,
  options: { readonly title?: string } = {},
) {
  return Type.Object(properties, { ...options, additionalProperties: false });
}
