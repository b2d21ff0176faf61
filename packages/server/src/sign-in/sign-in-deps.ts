import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { KnownPlaces } from './known-places.ts';
import type { PasswordHashes } from './password-hashes.ts';
import type { Sessions } from './sessions.ts';

/** Services for signing up, in and out. */
export interface SignInDeps {
  readonly db: Database;
  readonly config: Config;
  readonly sessions: Sessions;
  readonly passwords: PasswordHashes;
  readonly places: KnownPlaces;
  readonly mailer: Mailer;
  /**
   * Runs work after the answer, so that neither the content nor the time of the answer shows
   * whether an address has an account. Failures are logged.
   */
  readonly later: (what: string, work: () => Promise<void>) => void;
}
