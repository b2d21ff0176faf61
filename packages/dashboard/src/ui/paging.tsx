import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type Loaded, useLoad } from '../api/use-load.ts';
import { Show } from './page.tsx';

interface PagingProps {
  /** The cursor of the page shown; empty: the newest. */
  readonly cursor: string;
  /** The cursor of the page after it; null: there is none. */
  readonly next: string | null;
  readonly onMove: (cursor: string) => void;
}

/** Buttons under a list, newest first, that move to other pages. */
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

/** Loads a list page by page; another path begins at its newest page. */
export function usePages<T>(path: string, everyMs?: number): Pages<T> {
  const [place, setPlace] = useState({ path, cursor: '' });
  const cursor = place.path === path ? place.cursor : '';
  const query = cursor === '' ? '' : `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
  return { ...useLoad<T>(path + query, everyMs), cursor, onMove: (next) => setPlace({ path, cursor: next }) };
}

/** Shows the loaded page of a list, with buttons to the others under it. */
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
