import type { TemplateName } from './templates.ts';

/** Length of the vector by which networks describe a person. */
export const IDENTITY_LENGTH = 512;

/** Largest factor by which the crop of a swapper is enlarged; see `SwapperFiles`. */
export const MAX_BOOST = 4;

/** How a network's input is made from red, green and blue: `(x / 255 - mean) / deviation`. */
export interface Normalisation {
  readonly mean: readonly [number, number, number];
  readonly deviation: readonly [number, number, number];
}

/** The network gets the values 0..1. */
export const PLAIN: Normalisation = { mean: [0, 0, 0], deviation: [1, 1, 1] };
/** The network gets the values -1..1. */
const SIGNED: Normalisation = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] };
/** The network gets values as the networks that learnt from ImageNet. */
const IMAGENET: Normalisation = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] };

/** What a swapper is told about the source. */
export type SourceInput =
  /** A vector of `IDENTITY_LENGTH`, which a recogniser makes. */
  | {
      readonly kind: 'vector';
      /** The matrix in the file, or the second network, that the vector goes through. */
      readonly through: 'matrix' | 'converter' | 'nothing';
      /** Whether the result has the length 1. */
      readonly isUnit: boolean;
    }
  /** A crop of the source's photo, with values 0..1. */
  | { readonly kind: 'picture'; readonly template: TemplateName; readonly side: number };

/** How the network of a swapper is fed and read. */
export interface SwapperProtocol {
  readonly kind: 'swapper';
  /** Side of the crop, pixels. */
  readonly side: number;
  readonly template: TemplateName;
  readonly input: Normalisation;
  readonly source: SourceInput;
  /** How the output becomes 0..1. */
  readonly output: Normalisation;
}

/** How a network that improves a face is fed and read. */
export interface RestorerProtocol {
  readonly kind: 'restorer';
  readonly side: number;
  readonly template: TemplateName;
  readonly input: Normalisation;
  readonly output: Normalisation;
}

/** A network that describes a person by a vector. */
export interface RecogniserProtocol {
  readonly kind: 'recogniser';
  readonly side: number;
  readonly template: TemplateName;
  readonly input: Normalisation;
}

/** A network that says what hides a face. */
export interface MaskerProtocol {
  readonly kind: 'masker';
  readonly side: number;
  readonly template: TemplateName;
  readonly input: Normalisation;
  /** What it says of each pixel: how much of the face shows, or the scores of `PARSER_CLASSES`. */
  readonly says: 'visible-share' | 'classes';
}

/** A network that turns the vector of a recogniser into that of another. */
export interface ConverterProtocol {
  readonly kind: 'converter';
}

export type Protocol =
  | SwapperProtocol
  | RestorerProtocol
  | RecogniserProtocol
  | ConverterProtocol
  | MaskerProtocol;

/** Number of the kinds of things that a parser of faces knows (CelebAMask-HQ). */
export const PARSER_CLASSES = 19;

/** Sources that are described by a vector. */
const VECTOR = { kind: 'vector' } as const;
/** Sources whose vector goes through a second network. */
const CONVERTED = { ...VECTOR, through: 'converter' } as const;

/** Every protocol that guise knows, by the name of the network that began it. */
export const PROTOCOLS = {
  inswapper: {
    kind: 'swapper',
    side: 128,
    template: 'arcface-128',
    input: PLAIN,
    source: { ...VECTOR, through: 'matrix', isUnit: true },
    output: PLAIN,
  },
  simswap: {
    kind: 'swapper',
    side: 256,
    template: 'arcface-112-v1',
    input: IMAGENET,
    source: { ...CONVERTED, isUnit: true },
    output: PLAIN,
  },
  'simswap-512': {
    kind: 'swapper',
    side: 512,
    template: 'arcface-112-v1',
    input: PLAIN,
    source: { ...CONVERTED, isUnit: true },
    output: PLAIN,
  },
  ghost: {
    kind: 'swapper',
    side: 256,
    template: 'arcface-112-v1',
    input: SIGNED,
    source: { ...CONVERTED, isUnit: false },
    output: SIGNED,
  },
  hififace: {
    kind: 'swapper',
    side: 256,
    template: 'mtcnn-512',
    input: SIGNED,
    source: { ...CONVERTED, isUnit: true },
    output: SIGNED,
  },
  hyperswap: {
    kind: 'swapper',
    side: 256,
    template: 'arcface-128',
    input: SIGNED,
    source: { ...VECTOR, through: 'nothing', isUnit: true },
    output: SIGNED,
  },
  blendswap: {
    kind: 'swapper',
    side: 256,
    template: 'ffhq-512',
    input: PLAIN,
    source: { kind: 'picture', template: 'arcface-112-v2', side: 112 },
    output: PLAIN,
  },
  uniface: {
    kind: 'swapper',
    side: 256,
    template: 'ffhq-512',
    input: SIGNED,
    source: { kind: 'picture', template: 'ffhq-512', side: 256 },
    output: SIGNED,
  },
  'gpen-256': {
    kind: 'restorer',
    side: 256,
    template: 'arcface-128',
    input: SIGNED,
    output: SIGNED,
  },
  // GFPGAN, CodeFormer, RestoreFormer++ and GPEN of this size.
  'restorer-512': { kind: 'restorer', side: 512, template: 'ffhq-512', input: SIGNED, output: SIGNED },
  'restorer-1024': { kind: 'restorer', side: 1024, template: 'ffhq-512', input: SIGNED, output: SIGNED },
  'restorer-2048': { kind: 'restorer', side: 2048, template: 'ffhq-512', input: SIGNED, output: SIGNED },
  arcface: { kind: 'recogniser', side: 112, template: 'arcface-112-v2', input: SIGNED },
  converter: { kind: 'converter' },
  xseg: { kind: 'masker', side: 256, template: 'whole-face-256', input: PLAIN, says: 'visible-share' },
  bisenet: { kind: 'masker', side: 512, template: 'ffhq-512', input: IMAGENET, says: 'classes' },
} as const satisfies Record<string, Protocol>;
export type ProtocolName = keyof typeof PROTOCOLS;

/** Names of the protocols of a kind. */
export type NamesOf<Kind extends Protocol['kind']> = {
  [N in ProtocolName]: (typeof PROTOCOLS)[N]['kind'] extends Kind ? N : never;
}[ProtocolName];

/** Names of all protocols. */
export const PROTOCOL_NAMES = Object.keys(PROTOCOLS) as readonly ProtocolName[];
