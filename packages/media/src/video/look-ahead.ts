import type { LookAhead, MediaFrame } from './video-types.ts';

/**
 * What may wait, whatever is asked for, but for two pictures: twelve of 4K, half a second of 1080p.
 */
const MOST_BYTES = 160 * 1024 * 1024;

/** A picture under way. */
interface Picture {
  readonly view: MediaFrame;
}

/**
 * The same pictures, each of them once `ahead` has seen enough of those after it; at once without
 * `ahead`.
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
  if (after >= 2 && waiting.length * bytesOf(first) >= MOST_BYTES) return true;
  return isEnough(after, waiting[after]!.view.timeSeconds - first.timeSeconds);
}

function bytesOf({ width, height, planes }: MediaFrame): number {
  return width * height * (planes === null ? 4 : 1.5);
}
