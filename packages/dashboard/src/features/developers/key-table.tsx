import type { ApiKeyBody } from '@guise/contract/account/own.ts';
import type { ReactNode } from 'react';
import { DataTable } from '../../ui/data-table.tsx';
import { formatTime } from '../../ui/format.ts';

/** Table of API keys. `last` makes the last column, which differs between tables. */
export function KeyTable({
  name,
  empty,
  keys,
  last,
}: {
  name: string;
  empty: string;
  keys: readonly ApiKeyBody[];
  last: { readonly head: string; readonly cell: (key: ApiKeyBody) => ReactNode };
}) {
  return (
    <DataTable
      name={name}
      empty={empty}
      head={['Name', 'Ends with', 'Created', 'Last used', last.head]}
      rows={keys.map((key) => ({
        key: key.id,
        cells: [
          key.name,
          `...${key.lastFour}`,
          formatTime(key.createdAt),
          formatTime(key.lastUsedAt),
          last.cell(key),
        ],
      }))}
    />
  );
}
