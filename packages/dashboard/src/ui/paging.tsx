import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type Loaded, useLoad } from '../api/use-load.ts';
import { Show } from './page.tsx';

interface PagingProps {
  /** Cursor of the current page; empty for the newest. */
  readonly cursor: string;
  /** Cursor of the next page; null if there is none. */
  readonly next: string | null;
  readonly onMove: (cursor: string) => void;
}

/** Buttons below a list that switch to other pages. The list begins with the newest entries. */
function Paging({ cursor, next, onMove }: PagingProps) {
  if (cursor === '' && next === null) return null;
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

export interface Pages<T> extends Loaded<T> {
  readonly cursor: string;
  readonly onMove: (cursor: string) => void;
}

/** Loads a list in pages. A new path starts at its newest page. */
export function usePages<T>(path: string, everyMs?: number): Pages<T> {
  const [place, setPlace] = useState({ path, cursor: '' });
  const cursor = place.path === path ? place.cursor : '';
  const query = cursor === '' ? '' : `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
  return { ...useLoad<T>(path + query, everyMs), cursor, onMove: (next) => setPlace({ path, cursor: next }) };
}

/** Shows the current page of a list, with buttons to switch pages. */
export function ShowPages<T extends { readonly next: string | null }>({
  of,
  children,
}: {
  of: Pages<T>;
  children: (data: T) => ReactNode;
}) {
  return (
    <Show of={of}>
      {(data) => (
        <>
          {children(data)}
          <Paging cursor={of.cursor} next={data.next} onMove={of.onMove} />
        </>
      )}
    </Show>
  );
}
