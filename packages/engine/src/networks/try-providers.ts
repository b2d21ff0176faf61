import type { Provider } from '@guise/contract/engines.ts';
import { OnnxGraph } from '../models/conversion/onnx-graph.ts';
import { SESSION_OPTIONS } from '../models/model.ts';
import { InferenceSession, Tensor } from '../models/onnx-runtime.ts';

/** Whether a provider works on this machine. */
export interface TriedProvider {
  readonly provider: Provider;
  /** Why it does not work; absent if it does. */
  readonly problem?: string;
}

/** Runs a network of one node on each provider. */
export async function tryProviders(providers: readonly Provider[]): Promise<TriedProvider[]> {
  const graph = new OnnxGraph('trial');
  graph.output('output', [1], graph.node('Neg', [graph.input('input', [1])]));
  const bytes = graph.encode();
  const tried: TriedProvider[] = [];
  for (const provider of providers) {
    try {
      const session = await InferenceSession.create(bytes, {
        ...SESSION_OPTIONS,
        executionProviders: [provider],
      });
      await session.run({ input: new Tensor('float32', [1], [1]) });
      await session.release();
      tried.push({ provider });
    } catch (error) {
      tried.push({ provider, problem: sentenceOf(error) });
    }
  }
  return tried;
}

/** Returns what an error of onnxruntime says, without the places in its code. */
function sentenceOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0]!.replace(/^.*was false\. /, '');
}
