import type { SigningIdentity } from '@guise/media/provenance/signing-identity.ts';
import type pg from 'pg';
import { type Following, followChanges } from '../db/follow-changes.ts';
import { SECRETS_REFRESH_MS } from '../db/installation-secrets.ts';
import type { Notifications } from '../db/notifications.ts';
import { installationIdentity, type SigningConfig } from './installation-signing.ts';
import { findSignerFingerprint } from './signing-store.ts';

export interface FollowIdentityOptions {
  readonly config: SigningConfig;
  readonly pool: pg.Pool;
  readonly notifications: Notifications;
  /** Identity that signs at the start. */
  readonly identity: SigningIdentity;
  /** Called with the new identity, which signs from now on. */
  readonly onChanged: (identity: SigningIdentity) => void;
  /** Called with failures to read the identity. The previous one continues to sign. */
  readonly onError: (error: unknown) => void;
}

/**
 * Switches to a rotated identity within `SECRETS_REFRESH_MS`. The operator's own files are read
 * only at the start.
 */
export function followIdentity(options: FollowIdentityOptions): Following {
  const { config, pool, notifications, onChanged, onError } = options;
  let { identity } = options;
  let known: string | null = null;
  return followChanges({
    channel: 'guise_secrets',
    notifications,
    everyMs: SECRETS_REFRESH_MS,
    async look() {
      if (config.signing !== null) return;
      const current = await findSignerFingerprint(pool);
      if (current === known) return;
      // No message is needed if the folder contains an earlier identity, because the database knows
      // it.
      const next = await installationIdentity(config, pool, () => {});
      known = current;
      if (Buffer.compare(next.chain[0]!, identity.chain[0]!) === 0) return;
      identity = next;
      onChanged(next);
    },
    onError,
  });
}
