import type { ApiKeyBody } from '@guise/contract/account/own.ts';
import { formatTime } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { KeyTable } from './key-table.tsx';

/** Days for which a revoked key is shown to people who look for a key that stopped working. */
const SHOWN_DAYS = 30;

/** Lists the recently revoked keys, the latest first; shows nothing if there are none. */
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

/** Milliseconds since 1970; 0: it still works. */
function revokedMs({ revokedAt }: ApiKeyBody): number {
  return revokedAt === null ? 0 : Date.parse(revokedAt);
}
