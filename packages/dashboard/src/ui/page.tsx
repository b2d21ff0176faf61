import { Button, Card, Loader, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Loaded } from '../api/use-load.ts';
import { Failure } from './failure.tsx';

let isFirstPage = true;

/** A page with its title. */
export function Page({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="lg" className="narrow">
      <PageTitle title={title} />
      {children}
    </Stack>
  );
}

/** The title of a page, in the tab and as the heading, which screen readers read first. */
export function PageTitle({ title }: { title: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} - guise`;
    if (!isFirstPage) heading.current?.focus({ preventScroll: true });
    isFirstPage = false;
  }, [title]);
  return (
    <Title order={1} size="h2" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
      {title}
    </Title>
  );
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card withBorder component="section" aria-label={title}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      {children}
    </Card>
  );
}

/** Shows loaded data. If loading failed, shows the reason and a button to try again. */
export function Show<T>({ of, children }: { of: Loaded<T>; children: (data: T) => ReactNode }) {
  if (of.data !== null) return children(of.data);
  if (of.error === null) return <Loader aria-label="Loading" mih={120} />;
  return (
    <Failure title="This could not be loaded">
      <Text mb="sm">{of.error.message}</Text>
      <Button variant="default" onClick={of.reload}>
        Try again
      </Button>
    </Failure>
  );
}
