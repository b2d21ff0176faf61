import '@mantine/core/styles/Table.css';
import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface DataTableProps {
  readonly name: string;
  readonly head: readonly string[];
  readonly rows: readonly { key: string; cells: ReactNode[] }[];
  readonly empty: string;
}

/** Number of columns that fit next to each other on a phone. */
const FEW_COLUMNS = 2;

/**
 * A table that scrolls by itself if it is wider than the page. On a phone, the cells of a row are
 * stacked, each with its heading (app.css), so that buttons stay visible. `empty` is shown if there
 * are no rows.
 */
export function DataTable({ name, head, rows, empty }: DataTableProps) {
  if (rows.length === 0) return <Text c="var(--mantine-color-text)">{empty}</Text>;
  return (
    <section className={head.length > FEW_COLUMNS ? 'wide stacked' : 'wide'} tabIndex={0} aria-label={name}>
      <Table verticalSpacing="xs" miw={{ base: 0, sm: head.length * 110 }}>
        <Table.Thead>
          <Table.Tr>
            {head.map((text) => (
              <Table.Th key={text} scope="col">
                {text}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, cells }) => (
            <Table.Tr key={key}>
              {cells.map((cell, index) => (
                <Table.Td key={head[index]}>
                  <span className="head">{head[index]}</span>
                  <div>{cell}</div>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
