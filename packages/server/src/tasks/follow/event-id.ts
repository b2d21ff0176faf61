/**
 * Id of an event: a time of the database's clock in milliseconds, 13 digits. An odd id means that
 * the client knows all changes up to that time. An even id means that the client was still being
 * sent the tasks that were unfinished at that time. The lowest bit costs no accuracy, because
 * consecutive reads overlap by much more than a millisecond.
 */
export type EventId = number;

/** Returns the id for a client that knows all changes up to a time. */
export function knowsAllAt(at: Date): EventId {
  const ms = at.getTime();
  return ms - (ms % 2) + 1;
}

/**
 * Returns the id for a client that is still being sent the tasks that were unfinished at a time.
 */
export function joinsAt(at: Date): EventId {
  const ms = at.getTime();
  return ms - (ms % 2);
}

/** Returns whether a client with this id knows all changes up to the id's time. */
export function knowsAll(id: EventId): boolean {
  return id % 2 === 1;
}
