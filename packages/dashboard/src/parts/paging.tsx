import { Button, Group } from '@mantine/core';

interface PagingProps {
  /** Of the page shown; empty: the newest. */
  readonly cursor: string;
  /** Of the page after it; null: there is none. */
  readonly next: string | null;
  readonly onMove: (cursor: string) => void;
}

/** Under a list that has the newest first. */
export function Paging({ cursor, next, onMove }: PagingProps) {
  return (
    <Group mt="sm">
      {cursor !== '' && (
        <Button variant="default" onClick={() => onMove('')}>
          Newest
        </Button>
      )}
      {next !== null && (
        <Button variant="default" onClick={() => onMove(next)}>
          Older
        </Button>
      )}
    </Group>
  );
}
