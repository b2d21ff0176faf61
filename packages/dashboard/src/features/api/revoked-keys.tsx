import type { ApiKeyBody } from '@guise/contract/account/own.ts';
import { formatTime } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { KeyTable } from './key-table.tsx';

/** So long somebody may look for the key that a program stopped working with. */
const RECENT_DAYS = 30;

/** Those of `keys` that were revoked of late, the latest first; nothing where there are none. */
export function RevokedKeys({ keys }: { keys: readonly ApiKeyBody[] }) {
  const since = Date.now() - RECENT_DAYS * 24 * 60 * 60 * 1000;
  const recent = keys.filter((key) => revokedMs(key) > since).toSorted((a, b) => revokedMs(b) - revokedMs(a));
  if (recent.length === 0) return null;
  return (
    <Section title={`Keys revoked in the last ${RECENT_DAYS} days`}>
      <KeyTable
        name="Revoked keys"
        empty=""
        keys={recent}
        last={{ head: 'Revoked', cell: (key) => formatTime(key.revokedAt) }}
      />
    </Section>
  );
}

/** Milliseconds since 1970; 0: it still works. */
function revokedMs({ revokedAt }: ApiKeyBody): number {
  return revokedAt === null ? 0 : Date.parse(revokedAt);
}
