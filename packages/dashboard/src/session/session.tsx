import type { Me } from '@guise/contract/account/own.ts';
import { Modal, Text } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { account, ApiError, whenSessionEnds } from '../api/account.ts';
import { forgetToken } from '../api/ai-tasks.ts';
import { SignInForm } from './sign-in-form.tsx';

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

/**
 * Provides the signed-in account. When the session ends, a form to sign in again opens over the
 * page, so that no input is lost.
 */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [me, setMe] = useState<Me | null | undefined>();
  const [isOver, setIsOver] = useState(false);
  const reload = useCallback(async () => {
    try {
      setMe(await account<Me>('GET', 'me'));
      setIsOver(false);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) throw error;
      setMe(null);
    }
  }, []);
  useEffect(() => {
    whenSessionEnds(() => setIsOver(true));
    reload().catch(() => setMe(null));
  }, [reload]);
  const signOut = useCallback(async () => {
    await account('POST', 'auth/sign-out');
    forgetToken();
    setMe(null);
  }, []);
  return (
    <SessionContext value={{ me, reload, signOut }}>
      {children}
      <Modal
        opened={isOver && me != null}
        onClose={() => setIsOver(false)}
        title="Your session has ended"
        centered
        // Locking the scroll position would need a style element, which our Content-Security-Policy
        // forbids.
        lockScroll={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Text mb="md">Sign in again to go on; what you entered is still here.</Text>
        <SignInForm email={me?.email ?? ''} onDone={reload} />
      </Modal>
    </SessionContext>
  );
}
