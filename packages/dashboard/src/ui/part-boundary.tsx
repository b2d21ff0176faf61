import { Button, Center, Loader, Text } from '@mantine/core';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';
import { PartNotLoaded } from './lazy-part.ts';
import { useLocation } from 'wouter';
import { loadAnew, wasLoadedAnew } from './navigation.ts';
import { Page } from './page.tsx';
import { Failure } from './failure.tsx';

interface PartBoundaryProps {
  /** Whether the part is the whole page, so that an error needs a heading. */
  readonly isPage?: boolean;
  /** What is shown while the part is loading. */
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}

/**
 * Shows a text and a button in place of a failed part, until the path changes. If a part cannot be
 * loaded, reloads the app first, because after an upgrade only a reload finds the new files.
 */
export function PartBoundary({ isPage = false, fallback = <Loading />, children }: PartBoundaryProps) {
  return (
    <ErrorBoundary
      resetKeys={[useLocation()[0]]}
      fallbackRender={(props) => <Failed {...props} isPage={isPage} />}
    >
      <Suspense fallback={fallback}>{children}</Suspense>
    </ErrorBoundary>
  );
}

function Failed({ error, resetErrorBoundary, isPage }: FallbackProps & { isPage: boolean }) {
  const isNotLoaded = error instanceof PartNotLoaded;
  const [isLoading, setIsLoading] = useState(isNotLoaded && !wasLoadedAnew());
  useEffect(() => {
    if (!isLoading) return undefined;
    const stop = new AbortController();
    loadAnew(stop.signal).catch(() => stop.signal.aborted || setIsLoading(false));
    return () => stop.abort();
  }, [isLoading]);
  if (isLoading) return <Loading />;
  const alert = (
    <Failure title={isPage ? undefined : 'This part cannot be shown'}>
      <Text mb="sm">
        {isNotLoaded
          ? 'A part of the page could not be loaded: the service may be away, or was upgraded meanwhile.'
          : `The page has a fault: ${error instanceof Error ? error.message : String(error)}`}
      </Text>
      <Button variant="default" onClick={isNotLoaded ? () => setIsLoading(true) : resetErrorBoundary}>
        Try again
      </Button>
    </Failure>
  );
  return isPage ? <Page title="This page cannot be shown">{alert}</Page> : alert;
}

/** Placeholder for a part that is loading. */
export function Loading() {
  return (
    <Center mih={300}>
      <Loader aria-label="Loading" />
    </Center>
  );
}
