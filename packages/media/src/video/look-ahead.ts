import type { LookAhead, MediaFrame } from './video-types.ts';

/**
 * Largest memory for waiting pictures: twelve of 4K, or half a second of 1080p. Two pictures may
 * always wait.
 */
const MAX_WAITING_BYTES = 160 * 1024 * 1024;

/** A picture being processed. */
interface Picture {
  readonly view: MediaFrame;
}

/**
 * Yields each picture as soon as `ahead` has seen enough of the pictures after it. Without `ahead`,
 * yields it at once.
 */
export async function* lookAhead<T extends Picture>(
  pictures: AsyncIterable<T>,
  ahead: LookAhead | undefined,
): AsyncGenerator<T, void, undefined> {
  if (ahead === undefined) {
    yield* pictures;
    return;
  }
  const waiting: T[] = [];
  for await (const picture of pictures) {
    await ahead.onFrame(picture.view);
    waiting.push(picture);
    while (isDue(waiting, ahead)) yield waiting.shift()!;
  }
  yield* waiting;
}

function isDue(waiting: readonly Picture[], { isEnough }: LookAhead): boolean {
  const first = waiting[0]?.view;
  if (first === undefined) return false;
  const after = waiting.length - 1;
  if (after >= 2 && waiting.length * bytesOf(first) >= MAX_WAITING_BYTES) return true;
  return isEnough(after, waiting[after]!.view.timeSeconds - first.timeSeconds);
}

function bytesOf({ width, height, planes }: MediaFrame): number {
  return width * height * (planes === null ? 4 : 1.5);
}
