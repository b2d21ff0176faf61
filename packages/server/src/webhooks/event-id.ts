/** Form of an event id: `evt_` and the digits of a UUID. */
const EVENT_ID = /^evt_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** Returns the `webhook-id` of an event, which all its attempts share. */
export function toEventId(uuid: string): string {
  return `evt_${uuid.replaceAll('-', '')}`;
}

/** Parses an event id. @returns the UUID; null if `text` is not an event id. */
export function parseEventId(text: string): string | null {
  const parts = EVENT_ID.exec(text);
  return parts === null ? null : parts.slice(1).join('-');
}
