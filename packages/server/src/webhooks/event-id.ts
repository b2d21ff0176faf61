/** Form of an event id: `evt_` and the digits of a UUID. */
const EVENT_ID = /^evt_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** The `webhook-id`: one event, one id, whatever is attempted or resent. */
export function toEventId(uuid: string): string {
  return `evt_${uuid.replaceAll('-', '')}`;
}

/** @returns the uuid; null where `text` is no event id. */
export function parseEventId(text: string): string | null {
  const parts = EVENT_ID.exec(text);
  return parts === null ? null : parts.slice(1).join('-');
}
