/**
 * Id of an event: a moment of the database's clock in milliseconds, 13 digits. A client that has
 * come to an odd one knows of everything until then. With an even one it was still being told of
 * the tasks that were unfinished then. Two looks overlap by far more than a millisecond.
 */
export type EventId = number;

/** Returns the id for a client that knows of everything until a moment. */
export function knowsAllAt(at: Date): EventId {
  const ms = at.getTime();
  return ms - (ms % 2) + 1;
}

/** Returns the id for a client that is still being told what was unfinished at a moment. */
export function joinsAt(at: Date): EventId {
  const ms = at.getTime();
  return ms - (ms % 2);
}

/** Returns whether a client that came so far knows of everything until then. */
export function knowsAll(id: EventId): boolean {
  return id % 2 === 1;
}
