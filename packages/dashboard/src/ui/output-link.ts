import { useEffect, useState } from 'react';
import { localLink } from '../api/ai-tasks.ts';
import { formatTime } from './format.ts';

/** What an output says of where it is: one that was deleted has no link and no end of it. */
interface OutputPlace {
  readonly url?: string;
  readonly expiresAt?: string;
  readonly deletedAt?: string;
}

/** A link to an output, or a sentence that says since when there is none. */
type OutputLink =
  | { readonly link: string; readonly gone: null }
  | { readonly link: null; readonly gone: string };

/** Time after the end of a link at which it is looked at again: timers may be a little early. */
const AFTER_END_MS = 100;

/** Finds where an output is now; says so too when its link ends while it is shown. */
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
