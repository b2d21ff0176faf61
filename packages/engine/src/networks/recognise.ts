import type { GraphPort, OnnxFile } from './onnx-file.ts';
import {
  IDENTITY_LENGTH,
  PARSER_CLASSES,
  PROTOCOL_NAMES,
  PROTOCOLS,
  type Protocol,
  type ProtocolName,
} from './protocols.ts';

/** Number of colours of a picture. */
const COLOURS = 3;

/** Lists the protocols that fit a graph's inputs and outputs. */
export function fittingProtocols(file: OnnxFile): ProtocolName[] {
  return PROTOCOL_NAMES.filter((name) => fits(name, PROTOCOLS[name], file));
}

function fits(name: ProtocolName, protocol: Protocol, { inputs, outputs }: OnnxFile): boolean {
  const [output] = outputs;
  const given = inputs.filter(({ type }) => type === 'float32');
  const others = inputs.length - given.length;
  if (output === undefined) return false;
  const vectors = given.filter((each) => hasShape(each, [IDENTITY_LENGTH]));
  switch (protocol.kind) {
    case 'swapper': {
      if (given.length !== 2 || others > 0 || !couldBePicture(output, protocol.side)) return false;
      const target = given.find((each) => each.name === TARGET_INPUT) ?? given.find(isPicture);
      const source = given.find((each) => each !== target);
      if (!target || !source || !couldBePicture(target, protocol.side)) return false;
      if (protocol.source.kind === 'picture') return couldBePicture(source, protocol.source.side);
      // Only hyperswap has a second output, a mask.
      return vectors.includes(source) && (outputs.length === 2) === (name === 'hyperswap');
    }
    case 'restorer':
      // CodeFormer has a second input, a weight.
      return (
        given.length === 1 &&
        others <= 1 &&
        inputs.every((each) => each === given[0] || each.type === 'float64') &&
        hasSize(given[0]!, protocol.side) &&
        couldBePicture(output, protocol.side)
      );
    case 'recogniser':
      return inputs.length === 1 && hasSize(given[0], protocol.side) && hasShape(output, [IDENTITY_LENGTH]);
    case 'masker': {
      const { side, says } = protocol;
      if (inputs.length !== 1) return false;
      // XSeg has the colours of a pixel side by side.
      return says === 'visible-share'
        ? couldBe(given[0], [side, side, COLOURS]) && couldBe(output, [side, side, 1])
        : couldBe(given[0], [COLOURS, side, side]) && couldBe(output, [PARSER_CLASSES, side, side]);
    }
    case 'converter':
      return inputs.length === 1 && vectors.length === 1 && hasShape(output, [IDENTITY_LENGTH]);
  }
}

/** Name of the input for the target, by which two pictures are told apart. */
export const TARGET_INPUT = 'target';

/** Returns whether a port has these sizes after the number of items. */
function hasShape({ shape }: GraphPort, sizes: readonly number[]): boolean {
  return shape.length === sizes.length + 1 && sizes.every((size, k) => shape[k + 1] === size);
}

function isPicture({ shape }: GraphPort): boolean {
  return shape.length === 4 && shape[1] === COLOURS;
}

/** Returns whether a port is a picture of this side. */
function hasSize(port: GraphPort | undefined, side: number): boolean {
  return port !== undefined && hasShape(port, [COLOURS, side, side]);
}

/** Returns whether a port can be a picture of this side. */
function couldBePicture(port: GraphPort, side: number): boolean {
  return couldBe(port, [COLOURS, side, side]);
}

/** Returns whether a port can have these sizes after the number of items: its sizes may be open. */
function couldBe(port: GraphPort | undefined, sizes: readonly number[]): boolean {
  if (port === undefined || port.shape.length !== sizes.length + 1) return false;
  return sizes.every((size, k) => (port.shape[k + 1] ?? size) === size);
}
