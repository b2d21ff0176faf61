import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import type { InstallationSecrets } from '../db/installation-secrets.ts';
import type { Mailer } from '../mail/mailer.ts';
import { createKnownPlaces } from './known-places.ts';
import { createPasswordHashes } from './password-hashes.ts';
import { createSessions } from './sessions.ts';
import type { SignInDeps } from './sign-in-deps.ts';

export interface SignInService extends SignInDeps {
  /** Waits for work that runs after its answer, such as sending mails. */
  settled(): Promise<void>;
}

export function openSignIn(options: {
  readonly db: Database;
  readonly secrets: InstallationSecrets;
  readonly config: Config;
  readonly mailer: Mailer;
  readonly onError: (error: unknown, what: string) => void;
}): SignInService {
  const { db, secrets, config, mailer, onError } = options;
  const underWay = new Set<Promise<void>>();
  return {
    db,
    config,
    mailer,
    sessions: createSessions({ db, secrets: secrets['sign-in'], publicUrl: config.publicUrl }),
    passwords: createPasswordHashes(),
    places: createKnownPlaces({ db, secrets: secrets['known-places'], publicUrl: config.publicUrl }),
    later(what, work) {
      const running: Promise<void> = Promise.resolve()
        .then(work)
        .catch((error: unknown) => onError(error, what))
        .finally(() => underWay.delete(running));
      underWay.add(running);
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
