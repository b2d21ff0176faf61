import type { LookAhead, MediaFrame } from './video-types.ts';

/** What may wait, whatever was asked for, but for two pictures: twelve of 4K, half a second of 1080p. */
const MOST_BYTES = 160 * 1024 * 1024;

/** A picture under way. */
interface Picture {
  readonly view: MediaFrame;
}

/** The same pictures, each of them once `ahead` has seen enough of those after it; at once without `ahead`. */
export async function* lookAhead<T extends Picture>(
  pictures: AsyncIterable<T>,
  ahead: LookAhead | undefined,
): AsyncGenerator<T, void, undefined> {
  const waiting: T[] = [];
  for await (const picture of pictures) {
    await ahead?.onFrame(picture.view);
    waiting.push(picture);
    while (isDue(waiting, ahead)) yield waiting.shift()!;
  }
  yield* waiting;
}

function isDue(waiting: readonly Picture[], ahead: LookAhead | undefined): boolean {
  const first = waiting[0]?.view;
  if (first === undefined) return false;
  const after = waiting.length - 1;
  if (ahead === undefined || after >= ahead.mostFrames || after >= ahead.firstFrames + first.index)
    return true;
  if (after >= 2 && waiting.length * bytesOf(first) >= MOST_BYTES) return true;
  const seconds = waiting[after]!.view.timeSeconds - first.timeSeconds;
  return after >= ahead.leastFrames && seconds >= ahead.seconds;
}

function bytesOf({ width, height, planes }: MediaFrame): number {
  return width * height * (planes === null ? 4 : 1.5);
}
