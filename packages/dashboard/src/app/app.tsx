import { Anchor, Center, Loader } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { Playground } from '../features/playground/playground.tsx';
import { isDoorway } from '../features/sign-in/door-paths.ts';
import { Doorway } from '../features/sign-in/doorway.tsx';
import { SessionProvider, useSession } from '../session/session.tsx';
import { Link } from '../ui/link.tsx';
import { usePath } from '../ui/navigation.ts';
import { Page } from '../ui/page.tsx';
import { ALL_WORKFLOWS } from '../workflows/workflows.ts';
import { Shell } from './shell.tsx';

const Tasks = lazy(() => import('../features/tasks/tasks.tsx').then((page) => ({ default: page.Tasks })));
const TaskPage = lazy(() =>
  import('../features/tasks/task.tsx').then((page) => ({ default: page.TaskPage })),
);
const Credits = lazy(() =>
  import('../features/credits/credits.tsx').then((page) => ({ default: page.Credits })),
);
const ApiSettings = lazy(() =>
  import('../features/api/api-settings.tsx').then((page) => ({ default: page.ApiSettings })),
);
const Account = lazy(() =>
  import('../features/account/account.tsx').then((page) => ({ default: page.Account })),
);
const Operator = lazy(() =>
  import('../features/operator/operator.tsx').then((page) => ({ default: page.Operator })),
);
const Docs = lazy(() => import('../features/docs/docs.tsx').then((page) => ({ default: page.Docs })));

const waiting = (
  <Center mih={300}>
    <Loader aria-label="Loading" />
  </Center>
);

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
  // Also for those who are signed in: a link from a mail works in any browser.
  if (isDoorway(path)) return <Doorway path={path} />;
  if (me === undefined) return waiting;
  if (me === null) return <Doorway path="/sign-in" />;
  return (
    <Shell>
      <Suspense fallback={waiting}>{page(path, me.role === 'owner')}</Suspense>
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
