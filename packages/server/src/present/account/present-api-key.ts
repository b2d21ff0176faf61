import type { ApiKeyBody } from '@guise/contract/account/own.ts';
import type { ApiKey } from '../../accounts/api-keys.ts';

/** Presents an API key without its secret. */
export function presentApiKey(key: ApiKey): ApiKeyBody {
  return {
    id: key.id,
    name: key.name,
    lastFour: key.lastFour,
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
  };
}
