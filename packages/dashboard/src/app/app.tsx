import { type ReactNode } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { isDoorway } from '../features/sign-in/door-paths.ts';
import { SwapPage } from '../features/swap/swap-page.tsx';
import { swapKindOf } from '../features/swap/swap-paths.ts';
import { SessionProvider, useSession } from '../session/session.tsx';
import { lazyPart } from '../ui/lazy-part.ts';
import { Page } from '../ui/page.tsx';
import { Loading, PartBoundary } from '../ui/part-boundary.tsx';
import { Shell } from './shell.tsx';
import { TextLink } from '../ui/text-link.tsx';

const Doorway = lazyPart(async () => (await import('../features/sign-in/doorway.tsx')).Doorway);
const Tasks = lazyPart(async () => (await import('../features/tasks/tasks.tsx')).Tasks);
const Verify = lazyPart(async () => (await import('../features/verify/verify.tsx')).Verify);
const VisitorVerify = lazyPart(
  async () => (await import('../features/verify/visitor-verify.tsx')).VisitorVerify,
);
const Faces = lazyPart(async () => (await import('../features/faces/faces.tsx')).Faces);
const Withdraw = lazyPart(async () => (await import('../features/faces/withdraw.tsx')).Withdraw);
const Usage = lazyPart(async () => (await import('../features/usage/usage.tsx')).Usage);
const Developers = lazyPart(async () => (await import('../features/developers/developers.tsx')).Developers);
const Settings = lazyPart(async () => (await import('../features/settings/settings.tsx')).Settings);
const Admin = lazyPart(async () => (await import('../features/admin/admin.tsx')).Admin);

/** Paths of earlier versions, which people may have bookmarked. */
const MOVED: Readonly<Record<string, string>> = {
  '/playground/batch': '/batch',
  '/playground/group': '/group',
  '/playground/video': '/film',
  '/playground/gif': '/film',
  '/credits': '/usage',
  '/keys': '/developers',
  '/docs': '/developers/reference',
  '/you': '/settings',
  '/operator': '/admin',
};

export function App() {
  return (
    <SessionProvider>
      <Gate />
    </SessionProvider>
  );
}

function Gate() {
  const [path] = useLocation();
  const { me } = useSession();
  const Visit = path === '/withdraw' ? Withdraw : me === null && path === '/verify' ? VisitorVerify : null;
  if (Visit !== null)
    return (
      <PartBoundary isPage>
        <Visit />
      </PartBoundary>
    );
  // Signed-in visitors see these pages too, because a link from a mail must work in any browser.
  const door = isDoorway(path) ? path : me === null ? '/sign-in' : null;
  if (door !== null)
    return (
      <PartBoundary isPage>
        <Doorway path={door} />
      </PartBoundary>
    );
  if (me === undefined) return <Loading />;
  return (
    <Shell>
      <PartBoundary isPage>
        <Pages isOwner={me?.role === 'owner'} />
      </PartBoundary>
    </Shell>
  );
}

function Pages({ isOwner }: { isOwner: boolean }): ReactNode {
  const [path] = useLocation();
  const moved = MOVED[path];
  if (moved !== undefined) return <Redirect to={moved} replace />;
  const kind = swapKindOf(path);
  if (kind !== undefined) return <SwapPage kind={kind} />;
  return (
    <Switch>
      <Route path="/tasks/:id?">{({ id }) => <Tasks openId={id ?? null} />}</Route>
      <Route path="/faces">{<Faces />}</Route>
      <Route path="/verify">{<Verify />}</Route>
      <Route path="/usage">{<Usage />}</Route>
      <Route path="/developers/:tab?">{({ tab }) => <Developers tab={tab ?? 'keys'} />}</Route>
      <Route path="/settings">{<Settings />}</Route>
      {isOwner && <Route path="/admin/:tab?">{({ tab }) => <Admin tab={tab ?? 'overview'} />}</Route>}
      <Route>
        <Page title="There is nothing here">
          <p>
            The address may be mistyped. <TextLink href="/">Swap a face</TextLink> instead.
          </p>
        </Page>
      </Route>
    </Switch>
  );
}
