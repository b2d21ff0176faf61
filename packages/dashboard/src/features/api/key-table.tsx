import type { ReactNode } from 'react';
import type { ApiKeyBody } from '@guise/contract/account/own.ts';
import { Rows, when } from '../../ui/data-table.tsx';

/** API keys, a row each; `last` is what a table of them shows beside what all have. */
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
    <Rows
      name={name}
      empty={empty}
      head={['Name', 'Ends with', 'Created', 'Last used', last.head]}
      rows={keys.map((key) => ({
        key: key.id,
        cells: [key.name, `...${key.lastFour}`, when(key.createdAt), when(key.lastUsedAt), last.cell(key)],
      }))}
    />
  );
}
