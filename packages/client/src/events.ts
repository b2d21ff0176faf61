import type { Task } from './api-types.ts';

/** A task as it is after a change. */
export interface TaskEvent {
  /** Send the last one as `lastEventId` to get what a lost stream has missed. */
  readonly id: string;
  readonly task: Task;
}

/** Silence after which a stream counts as lost. The service sends a comment every 15 seconds. */
const SILENCE_MS = 40_000;

/**
 * Reads the events of a stream until it ends, is lost or is aborted. Leaving the loop closes it.
 */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<TaskEvent, void> {
  const reader = stream
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  try {
    for (let text = ''; ;) {
      const value = await next(reader);
      if (value === undefined) return;
      const blocks = (text + value).split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        const id = /^id: (.*)$/m.exec(block)?.[1];
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (id !== undefined && data !== undefined) yield { id, task: JSON.parse(data) as Task };
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Returns the next text; undefined if the stream has ended or is silent for too long. */
async function next(reader: ReadableStreamDefaultReader<string>): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), SILENCE_MS);
  });
  try {
    const read = reader.read().then(
      ({ value }) => value,
      () => undefined,
    );
    return await Promise.race([read, silence]);
  } finally {
    clearTimeout(timer);
  }
}
