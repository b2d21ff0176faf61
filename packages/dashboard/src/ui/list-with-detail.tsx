import { Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { DataTable } from './data-table.tsx';
import { type Pages, ShowPages } from './paging.tsx';
import { TextLink } from './text-link.tsx';

/** Opens a row: the path of its page, or a handler that shows its detail here. */
type Opening = {
  /** Name for screen readers, which cannot see the row of the button. */
  readonly label: string;
  readonly text?: string;
} & ({ readonly href: string } | { readonly onOpen: () => void });

interface ListRow {
  readonly key: string;
  readonly cells: readonly ReactNode[];
  /** If a row cannot be opened, a text to show in place of the button. */
  readonly open: Opening | string;
}

interface ListWithDetailProps<T> {
  readonly name: string;
  readonly empty: string;
  readonly of: Pages<T>;
  readonly head: readonly string[];
  /** Heading of the last column, which contains the buttons. */
  readonly openHead: string;
  readonly rowsOf: (data: T) => readonly ListRow[];
  /** Detail of the open row, shown below the list. */
  readonly children?: ReactNode;
}

/** A list in pages. Each row can open its detail. */
export function ListWithDetail<T extends { readonly next: string | null }>({
  name,
  empty,
  of,
  head,
  openHead,
  rowsOf,
  children,
}: ListWithDetailProps<T>) {
  return (
    <ShowPages of={of}>
      {(data) => (
        <Stack>
          <DataTable
            name={name}
            empty={empty}
            head={[...head, openHead]}
            rows={rowsOf(data).map(({ key, cells, open }) => ({
              key,
              cells: [...cells, typeof open === 'string' ? open : <Open {...open} />],
            }))}
          />
          {children}
        </Stack>
      )}
    </ShowPages>
  );
}

function Open({ label, text = 'Open', ...opening }: Opening) {
  return 'href' in opening ? (
    <TextLink href={opening.href} aria-label={label}>
      {text}
    </TextLink>
  ) : (
    <Button size="xs" variant="default" aria-label={label} onClick={opening.onOpen}>
      {text}
    </Button>
  );
}
