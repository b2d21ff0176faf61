import type { ApiKeyBody } from '@guise/contract/account/own.ts';
import { formatTime } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { KeyTable } from './key-table.tsx';

/**
 * Days for which a revoked key is shown, for people who wonder why a key does not work any more.
 */
const SHOWN_DAYS = 30;

/** Lists recently revoked keys, newest first. Shows nothing if there are none. */
export function RevokedKeys({ keys }: { keys: readonly ApiKeyBody[] }) {
  const since = Date.now() - SHOWN_DAYS * 24 * 60 * 60 * 1000;
  const recent = keys.filter((key) => revokedMs(key) > since).toSorted((a, b) => revokedMs(b) - revokedMs(a));
  if (recent.length === 0) return null;
  return (
    <Section title={`Keys revoked in the last ${SHOWN_DAYS} days`}>
      <KeyTable
        name="Revoked keys"
        empty=""
        keys={recent}
        last={{ head: 'Revoked', cell: (key) => formatTime(key.revokedAt) }}
      />
    </Section>
  );
}

/** Returns the time of revocation in milliseconds since 1970; 0 if the key is not revoked. */
function revokedMs({ revokedAt }: ApiKeyBody): number {
  return revokedAt === null ? 0 : Date.parse(revokedAt);
}
