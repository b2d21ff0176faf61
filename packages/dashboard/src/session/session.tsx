import { GuiseError } from '@guise/client';
import type { Me } from '@guise/contract/account/own.ts';
import {
  createContext,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { account, whenSessionEnds } from '../api/account.ts';
import { followTasks } from '../api/task-feed.ts';
import { lazyPart } from '../ui/lazy-part.ts';

const SessionEnded = lazyPart(async () => (await import('./session-ended.tsx')).SessionEnded);

interface Session {
  /** The signed-in account; null if nobody is signed in, undefined while loading. */
  readonly me: Me | null | undefined;
  readonly reload: () => Promise<void>;
  readonly signOut: () => Promise<void>;
}

const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  return useContext(SessionContext)!;
}

/** Loads the page anew, so that no file or task of the account stays in the tab's memory. */
export function leave(): void {
  location.assign('/');
}

/**
 * Provides the signed-in account. When the session ends, a form to sign in again opens over the
 * page, so that no input is lost.
 */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [me, setMe] = useState<Me | null | undefined>();
  const [isOver, setIsOver] = useState(false);
  /** Id of the account that this page belongs to. */
  const known = useRef<string | null>(null);
  const reload = useCallback(async () => {
    try {
      const next = await account<Me>('GET', 'me');
      if (known.current !== null && known.current !== next.id) return leave();
      known.current = next.id;
      setMe(next);
      setIsOver(false);
    } catch (error) {
      if (!(error instanceof GuiseError && error.status === 401)) throw error;
      setMe(null);
    }
  }, []);
  useEffect(() => {
    whenSessionEnds(() => setIsOver(true));
    reload().catch(() => setMe(null));
  }, [reload]);
  const id = me?.id ?? null;
  useEffect(() => (id === null || isOver ? undefined : followTasks(id)), [id, isOver]);
  const signOut = useCallback(async () => {
    await account('POST', 'auth/sign-out');
    leave();
  }, []);
  return (
    <SessionContext value={{ me, reload, signOut }}>
      {children}
      {isOver && me != null && (
        <ErrorBoundary fallback={null}>
          <Suspense fallback={null}>
            <SessionEnded email={me.email} onDone={reload} onClose={() => setIsOver(false)} />
          </Suspense>
        </ErrorBoundary>
      )}
    </SessionContext>
  );
}
