import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface RowsProps {
  readonly name: string;
  readonly head: readonly string[];
  readonly rows: readonly { key: string; cells: ReactNode[] }[];
  readonly empty: string;
}

/** A table that scrolls by itself where the screen is narrow; `empty` says what to do when there is nothing. */
export function Rows({ name, head, rows, empty }: RowsProps) {
  if (rows.length === 0) return <Text c="var(--mantine-color-text)">{empty}</Text>;
  return (
    <section className="wide" tabIndex={0} aria-label={name}>
      <Table verticalSpacing="xs" miw={head.length * 110}>
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
                <Table.Td key={head[index]}>{cell}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

export function when(time: string | null): string {
  return time === null
    ? '-'
    : new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
