import { useEffect, useState } from 'react';
import { localLink } from '../api/ai-tasks.ts';
import { formatTime } from './format.ts';

/** Place of an output. A deleted output has no `url`. */
interface OutputPlace {
  readonly url?: string;
  readonly expiresAt?: string;
  readonly deletedAt?: string;
}

/** A link to an output, or a text that says when the output was deleted. */
type OutputLink =
  | { readonly link: string; readonly gone: null }
  | { readonly link: null; readonly gone: string };

/**
 * Time after the expiry of a link at which the state is updated. Timers may fire slightly early.
 */
const AFTER_END_MS = 100;

/** Returns the current link of an output. Updates when the link expires. */
export function useOutputLink({ url, expiresAt, deletedAt }: OutputPlace): OutputLink {
  const [now, setNow] = useState(Date.now);
  const endMs = expiresAt === undefined ? Infinity : Date.parse(expiresAt);
  useEffect(() => {
    if (endMs === Infinity) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), endMs - Date.now() + AFTER_END_MS);
    return () => clearTimeout(timer);
  }, [endMs]);
  if (deletedAt !== undefined) return { link: null, gone: `Deleted on ${formatTime(deletedAt)}.` };
  if (expiresAt !== undefined && endMs <= now)
    return { link: null, gone: `Expired on ${formatTime(expiresAt)}.` };
  if (url === undefined) return { link: null, gone: 'No longer stored.' };
  return { link: localLink(url), gone: null };
}
