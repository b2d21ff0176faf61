import { readFile } from 'node:fs/promises';
import { Graph, type GraphInput } from './graph.ts';
import { maskLength } from './network-masker.ts';
import { type OnnxFile, readOnnxFile } from './onnx-file.ts';
import { IDENTITY_LENGTH, type Protocol, type ProtocolName, PROTOCOLS } from './protocols.ts';
import { fittingProtocols } from './recognise.ts';

/**
 * What guise found out about a file: its protocol, or a sentence that says why it cannot be used.
 */
export type NetworkInspection =
  | { readonly protocol: ProtocolName }
  | { readonly problem: string; readonly fitting: readonly ProtocolName[] };

/** Value of every input in a trial. */
const TRIAL_VALUE = 0.1;

/**
 * Recognises the protocol of a network from its graph, and runs the network once.
 * @param wanted protocol that the operator names; needed if several fit
 * @param hasMatrix whether inswapper's matrix is in another file
 */
export async function inspectNetwork(
  file: string,
  wanted: ProtocolName | undefined,
  hasMatrix = false,
): Promise<NetworkInspection> {
  let fitting: ProtocolName[] = [];
  const refuse = (problem: string): NetworkInspection => ({ problem, fitting });
  try {
    const graph = readOnnxFile(await readFile(file));
    fitting = fittingProtocols(graph);
    const protocol = wanted ?? (fitting.length === 1 ? fitting[0]! : null);
    if (fitting.length === 0) return refuse(`guise does not know networks with ${describe(graph)}.`);
    if (protocol === null) return refuse(`It fits several protocols: ${fitting.join(', ')}.`);
    if (!fitting.includes(protocol))
      return refuse(`It does not fit the protocol ${protocol}, but ${fitting.join(', ')}.`);
    if (protocol === 'inswapper' && !hasMatrix && graph.lastMatrix(IDENTITY_LENGTH, IDENTITY_LENGTH) === null)
      return refuse(
        `It lacks the matrix of ${IDENTITY_LENGTH} x ${IDENTITY_LENGTH} for the source: give it with --matrix.`,
      );
    await tryNetwork(file, graph, PROTOCOLS[protocol]);
    return { protocol };
  } catch (error) {
    return refuse(error instanceof Error ? firstLine(error.message) : String(error));
  }
}

/**
 * Runs a network once.
 * @throws Error with a sentence if it gives no numbers, or not as many as its protocol says
 */
async function tryNetwork(file: string, { inputs }: OnnxFile, protocol: Protocol): Promise<void> {
  const graph = await Graph.open(file);
  try {
    // A graph that leaves the number of items open must also take several.
    const items = protocol.kind === 'swapper' && graph.takesBatches ? 2 : 1;
    const values = await graph.run(feedsFor(inputs, protocol, items), items * outputLength(protocol));
    if (!values.every(Number.isFinite)) throw new Error('It gives values that are no numbers.');
  } finally {
    await graph.close();
  }
}

function feedsFor(inputs: OnnxFile['inputs'], protocol: Protocol, items: number): Record<string, GraphInput> {
  const feeds: Record<string, GraphInput> = {};
  for (const { name, type, shape } of inputs) {
    if (type !== 'float32') continue;
    const sizes = shape.map((size, at) => size ?? (at === 0 ? items : sideOf(protocol)));
    const data = new Float32Array(sizes.reduce((count, size) => count * size, 1)).fill(TRIAL_VALUE);
    feeds[name] = { data, shape: sizes };
  }
  return feeds;
}

function sideOf(protocol: Protocol): number {
  return 'side' in protocol ? protocol.side : 1;
}

function outputLength(protocol: Protocol): number {
  switch (protocol.kind) {
    case 'swapper':
    case 'restorer':
      return 3 * protocol.side ** 2;
    case 'masker':
      return maskLength(protocol);
    case 'recogniser':
    case 'converter':
      return IDENTITY_LENGTH;
  }
}

function describe({ inputs, outputs }: OnnxFile): string {
  return `the inputs ${listOf(inputs)} and the outputs ${listOf(outputs)}`;
}

function listOf(ports: OnnxFile['inputs']): string {
  return ports
    .map(({ name, shape }) => `${name} (${shape.map((size) => size ?? '?').join(' x ')})`)
    .join(', ');
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}
