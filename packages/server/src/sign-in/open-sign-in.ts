import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { installationSecret } from '../db/installation-secret.ts';
import type { Mailer } from '../mail/mailer.ts';
import { createKnownPlaces } from './known-places.ts';
import { createPasswordHashes } from './password-hashes.ts';
import { createSessions } from './sessions.ts';
import type { SignInDeps } from './sign-in-deps.ts';

/** Name of the secret that signs sessions. */
const SESSIONS_SECRET_NAME = 'sign-in';

/** Name of the secret that hides known places. */
const PLACES_SECRET_NAME = 'known-places';

export interface SignInService extends SignInDeps {
  /** Waits for work that runs after its answer, so that an accepted mail is sent. */
  settled(): Promise<void>;
}

export async function openSignIn(options: {
  readonly db: Database;
  readonly config: Config;
  readonly mailer: Mailer;
  readonly onError: (error: unknown, what: string) => void;
}): Promise<SignInService> {
  const { db, config, mailer, onError } = options;
  const underWay = new Set<Promise<void>>();
  return {
    db,
    config,
    mailer,
    sessions: createSessions({
      db,
      secret: await installationSecret(db.pool, SESSIONS_SECRET_NAME),
      publicUrl: config.publicUrl,
    }),
    passwords: createPasswordHashes(),
    places: createKnownPlaces({
      db,
      secret: await installationSecret(db.pool, PLACES_SECRET_NAME),
      publicUrl: config.publicUrl,
    }),
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
