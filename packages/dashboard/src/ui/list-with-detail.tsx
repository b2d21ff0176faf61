import { Anchor, Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { DataTable } from './data-table.tsx';
import { Link } from './link.tsx';
import { type Pages, ShowPages } from './paging.tsx';

/** What opens a row: the address of its page, or a handler that shows its detail here. */
type Opening = {
  /** Name for screen readers, which do not show the row that it stands in. */
  readonly label: string;
  readonly text?: string;
} & ({ readonly href: string } | { readonly onOpen: () => void });

interface ListRow {
  readonly key: string;
  readonly cells: readonly ReactNode[];
  /** A string stands in the place of the opening where there is nothing to open. */
  readonly open: Opening | string;
}

interface ListWithDetailProps<T> {
  readonly name: string;
  readonly empty: string;
  readonly of: Pages<T>;
  readonly head: readonly string[];
  /** The head of the last column, whose cells open the rows. */
  readonly openHead: string;
  readonly rowsOf: (data: T) => readonly ListRow[];
  /** The detail of the open row, under the list. */
  readonly children?: ReactNode;
}

/** A list, page by page, whose rows each open their detail. */
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
    <Anchor component={Link} underline="always" href={opening.href} aria-label={label}>
      {text}
    </Anchor>
  ) : (
    <Button size="xs" variant="default" aria-label={label} onClick={opening.onOpen}>
      {text}
    </Button>
  );
}
