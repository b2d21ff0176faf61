/** The thread of a `ModelThread`: opens its network, says that it is ready, and answers each request. */
import { parentPort, workerData } from 'node:worker_threads';
import { Model, type ModelOutputs } from './model.ts';

export interface ThreadData {
  readonly file: string;
  readonly side: number;
  /** Shared with whoever asks: holds a picture from before a 'run' until its reply. */
  readonly input: Float32Array<SharedArrayBuffer>;
}

export type ThreadRequest = 'run' | 'close';
export type ThreadReply = 'ready' | ModelOutputs;

const port = parentPort!;
const { file, side, input } = workerData as ThreadData;
const model = await Model.open(file);

async function answer(request: ThreadRequest): Promise<void> {
  if (request === 'run') {
    reply(
      await model.run(
        side,
        side,
        (to) => to.set(input),
        (outputs) => ({ ...outputs }),
      ),
    );
    return;
  }
  await model.close();
  // Nothing is left to wait for: the thread ends.
  port.close();
}

function reply(message: ThreadReply): void {
  port.postMessage(message, []);
}

port.on('message', answer);
reply('ready');
