import { Anchor } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { Playground } from '../features/playground/playground.tsx';
import { isDoorway } from '../features/sign-in/door-paths.ts';
import { Doorway } from '../features/sign-in/doorway.tsx';
import { SessionProvider, useSession } from '../session/session.tsx';
import { lazyPart } from '../ui/lazy-part.ts';
import { Link } from '../ui/link.tsx';
import { usePath } from '../ui/navigation.ts';
import { Page } from '../ui/page.tsx';
import { Loading, PartBoundary } from '../ui/part-boundary.tsx';
import { ALL_WORKFLOWS } from '../workflows/workflows.ts';
import { Shell } from './shell.tsx';

const Tasks = lazyPart(async () => (await import('../features/tasks/tasks.tsx')).Tasks);
const TaskPage = lazyPart(async () => (await import('../features/tasks/task.tsx')).TaskPage);
const Credits = lazyPart(async () => (await import('../features/credits/credits.tsx')).Credits);
const ApiSettings = lazyPart(async () => (await import('../features/api/api-settings.tsx')).ApiSettings);
const Account = lazyPart(async () => (await import('../features/account/account.tsx')).Account);
const Operator = lazyPart(async () => (await import('../features/operator/operator.tsx')).Operator);
const Docs = lazyPart(async () => (await import('../features/docs/docs.tsx')).Docs);

export function App() {
  return (
    <SessionProvider>
      <Routes />
    </SessionProvider>
  );
}

function Routes() {
  const path = usePath();
  const { me } = useSession();
  // Signed-in visitors see these pages too, because a link from a mail must work in any browser.
  if (isDoorway(path)) return <Doorway path={path} />;
  if (me === undefined) return <Loading />;
  if (me === null) return <Doorway path="/sign-in" />;
  return (
    <Shell>
      <PartBoundary isPage>
        <Suspense fallback={<Loading />}>{page(path, me.role === 'owner')}</Suspense>
      </PartBoundary>
    </Shell>
  );
}

function page(path: string, isOwner: boolean): ReactNode {
  const workflow = ALL_WORKFLOWS.find(({ href }) => href === path);
  if (workflow !== undefined) return <Playground key={path} workflow={workflow} />;
  const [first = '', second = ''] = path.slice(1).split('/');
  switch (first) {
    case 'tasks':
      return second === '' ? <Tasks /> : <TaskPage id={second} />;
    case 'credits':
      return <Credits />;
    case 'keys':
      return <ApiSettings />;
    case 'you':
      return <Account />;
    case 'docs':
      return <Docs />;
    case 'operator':
      if (isOwner) return <Operator />;
  }
  return (
    <Page title="There is nothing here">
      <p>
        The address may be mistyped.{' '}
        <Anchor component={Link} underline="always" href="/">
          Swap a face
        </Anchor>{' '}
        instead.
      </p>
    </Page>
  );
}
