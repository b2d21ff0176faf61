import { Type } from 'typebox';
import { AI_TASKS_LIMITS } from './limits.ts';

/** Parts that the OpenAPI descriptions of both interfaces share. */

/** Schema of an error's field, for the bodies of both interfaces. */
export const errorFieldSchema = Type.Optional(
  Type.String({
    description:
      'Name of the field, query parameter or header that the error is about. ' +
      'One of several files has its index, such as targetImages[2].',
  }),
);

/** Operation that answers the description itself. */
export const READ_DESCRIPTION = {
  operationId: 'readDescription',
  summary: 'This description',
  security: [],
  responses: { 200: { description: 'OpenAPI 3.1', content: { 'application/json': { schema: {} } } } },
};

/** How clients say who they are. */
export const SECURITY_SCHEMES = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key (gsk_...), once per request.' },
};

/** Schemas of the credits in an error, for the bodies of both interfaces. */
export const errorCreditsSchemas = {
  required: Type.Optional(
    Type.Integer({ description: 'Number of credits that the request costs. Only with status 402.' }),
  ),
  available: Type.Optional(
    Type.Integer({ description: 'Number of credits that the account can spend. Only with status 402.' }),
  ),
};

/** Parameters and headers that every POST accepts. */
export const POST_PARAMETERS = [
  {
    name: 'dryRun',
    in: 'query',
    description: 'Validates the request, creates nothing and returns a quote.',
    schema: { const: 'true' },
  },
  {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a request safe to repeat: for 24 hours, the same request with the same key gets the first answer again, and creates nothing.',
    schema: { type: 'string', minLength: 1, maxLength: AI_TASKS_LIMITS.idempotencyKeyLength },
  },
];

/** Example of a face, as in the answer of detect-faces. */
export const EXAMPLE_FACE = {
  faceIndex: 0,
  x: 212.4,
  y: 96.1,
  width: 141.8,
  height: 187.5,
  score: 0.98,
  yaw: -4.2,
  pitch: 3.1,
  roll: 1.7,
};
