import { type Static, Type } from 'typebox';
import { closedObject } from '../schema-parts.ts';

/**
 * Schemas of a verification: how a file was made, and whether this is certain. Answer of `POST
 * /api/ai-tasks/verify` and output of `guise verify --json`.
 */

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const actionSchema = closedObject({
  action: Type.String({ description: "C2PA's name, such as c2pa.created." }),
  digitalSourceType: textOrNull("A URI of IPTC's digital source types."),
  softwareAgent: textOrNull('The program that did it.'),
  when: textOrNull('Time of the action, as written in the file.'),
});

const credentialsSchema = closedObject({
  valid: Type.Boolean({
    description: 'The signature is valid, and nothing in the file has changed since.',
  }),
  trusted: Type.Boolean({
    description: "Valid, and signed by this installation's certificate or another one of the same authority.",
  }),
  signer: textOrNull("The name in the signer's certificate; it proves nothing if trusted is false."),
  issuer: textOrNull("The organisation in the signer's certificate."),
  signedAt: textOrNull('When a time stamp authority saw the signature.'),
  generator: textOrNull('The program that made the file, according to the credentials.'),
  digitalSourceType: textOrNull("A URI of IPTC's digital source types."),
  actions: Type.Array(actionSchema, { description: 'Actions that the signer declares, in order.' }),
  problems: Type.Array(Type.String(), {
    description:
      'C2PA codes of the faults, such as assertion.dataHash.mismatch; credentials.unreadable if the credentials are damaged, file.unreadable if the file is too damaged to search it.',
  }),
});

export const verificationSchema = closedObject({
  file: closedObject({
    name: Type.String(),
    contentType: Type.String({ description: 'Detected from the content.' }),
    bytes: Type.Integer({ minimum: 0 }),
    sha256: Type.String({ description: 'Lower-case hex.' }),
  }),
  marked: Type.Boolean({
    description:
      'The file says, signed or not, that a trained algorithm made it or a part of it. If there is no mark, the file may still be AI-made, because marks can be removed.',
  }),
  digitalSourceType: textOrNull(
    "How the file says it was made, as a URI of IPTC's digital source types: from its credentials if they are valid, otherwise from its XMP, otherwise from its invalid credentials.",
  ),
  xmp: Type.Union(
    [
      closedObject({
        digitalSourceType: Type.String(),
        creatorTool: textOrNull('The program that wrote it.'),
      }),
      Type.Null(),
    ],
    { description: 'The XMP mark; it is not signed, so anyone can write it.' },
  ),
  credentials: Type.Union([credentialsSchema, Type.Null()], {
    description:
      'C2PA content credentials; null if the file contains none, or if its type cannot contain any.',
  }),
  watermark: closedObject({
    found: Type.Boolean({
      description:
        'The picture has the invisible watermark with which guise marks what it makes. Without one it may still be AI-made: marks can be removed, and also copied to other pictures.',
    }),
    confidence: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'How clearly it is read: 1 as it was put in, 0 if none was found.',
    }),
    id: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{12}$',
        description: 'Number that tells something only to the installation that put it in.',
      }),
    ),
    ownInstallation: Type.Optional(
      Type.Boolean({ description: 'The number is in the records of this installation.' }),
    ),
  }),
  ownSignature: Type.Boolean({ description: "Valid, and signed by this installation's own certificate." }),
});
export type Verification = Static<typeof verificationSchema>;

/**
 * IPTC digital source types (NewsCodes) of media made entirely or partly by a trained algorithm.
 */
const MADE_BY_TRAINED_ALGORITHM = new Set(
  ['trainedAlgorithmicMedia', 'compositeWithTrainedAlgorithmicMedia', 'compositeSynthetic'].map(
    (name) => `cv.iptc.org/newscodes/digitalsourcetype/${name}`,
  ),
);

/**
 * Returns whether a digital source type is one of these. Accepts both http and https in its URL.
 */
export function isMadeByTrainedAlgorithm(digitalSourceType: string | null): boolean {
  return MADE_BY_TRAINED_ALGORITHM.has(digitalSourceType?.replace(/^https?:\/\//, '') ?? '');
}
