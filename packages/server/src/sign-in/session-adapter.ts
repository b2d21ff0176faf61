import { createHash } from 'node:crypto';
import { type CleanedWhere, createAdapterFactory } from 'better-auth/adapters';
import type { Database } from '../db/database.ts';

type Fields = Record<string, unknown>;

/**
 * Columns of `sessions` that make a session of better-auth, except its token. The row contains only
 * the hash, so each caller adds the token that it was given.
 */
const SESSION_COLUMNS = `id, account_id as "userId", ip_address as "ipAddress", user_agent as "userAgent",
  created_at as "createdAt", updated_at as "updatedAt", expires_at as "expiresAt"`;

function hashSessionToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Adapts our tables to better-auth. Its `user` is our account. Tokens are stored only as SHA-256,
 * which better-auth's own adapters do not support. All other requests throw an error.
 */
export function sessionAdapter(db: Database): ReturnType<typeof createAdapterFactory> {
  return createAdapterFactory({
    config: { adapterId: 'guise', supportsDates: true, supportsBooleans: true, disableIdGeneration: true },
    adapter: () => ({
      create: async ({ model, data }) => {
        if (model !== 'session') throw unsupported('create', model);
        return (await createSession(db, data)) as never;
      },
      findOne: async ({ model, where }) => (await findOne(db, model, where)) as never,
      update: async ({ model, where, update }) => {
        if (model !== 'session') throw unsupported('update', model);
        return (await extendSession(db, tokenOf(where), update as Fields)) as never;
      },
      delete: async ({ model, where }) => {
        if (model !== 'session') throw unsupported('delete', model);
        await db.pool.query('delete from sessions where token_hash = $1', [hashSessionToken(tokenOf(where))]);
      },
      updateMany: ({ model }) => Promise.reject(unsupported('updateMany', model)),
      // better-auth reads rows before it deletes them.
      findMany: async ({ model, where }) => {
        const found = await findOne(db, model, where ?? []);
        return (found === null ? [] : [found]) as never;
      },
      deleteMany: ({ model }) => Promise.reject(unsupported('deleteMany', model)),
      count: ({ model }) => Promise.reject(unsupported('count', model)),
    }),
  });
}

async function createSession(db: Database, data: Fields): Promise<Fields> {
  const token = data.token as string;
  const { rows } = await db.pool.query<Fields>(
    `insert into sessions (account_id, token_hash, ip_address, user_agent, expires_at)
     values ($1, $2, $3, $4, $5) returning ${SESSION_COLUMNS}`,
    [
      data.userId,
      hashSessionToken(token),
      (data.ipAddress as string) || null,
      (data.userAgent as string) || null,
      data.expiresAt,
    ],
  );
  return { ...rows[0]!, token };
}

async function findOne(db: Database, model: string, where: CleanedWhere[]): Promise<Fields | null> {
  if (model === 'session') {
    const token = tokenOf(where);
    const { rows } = await db.pool.query<Fields>({
      name: 'find-session',
      text: `select ${SESSION_COLUMNS} from sessions where token_hash = $1`,
      values: [hashSessionToken(token)],
    });
    return rows[0] === undefined ? null : { ...rows[0], token };
  }
  if (model !== 'user') throw unsupported('findOne', model);
  const { rows } = await db.pool.query({
    name: 'find-session-user',
    text: `select id, email, name, email_verified_at is not null as "emailVerified", created_at as "createdAt",
        created_at as "updatedAt", null as image
      from accounts where id = $1`,
    values: [valueOf(where, 'id')],
  });
  return rows[0] ?? null;
}

async function extendSession(db: Database, token: string, update: Fields): Promise<Fields | null> {
  const { rows } = await db.pool.query<Fields>(
    `update sessions set expires_at = coalesce($2, expires_at), updated_at = now()
     where token_hash = $1 returning ${SESSION_COLUMNS}`,
    [hashSessionToken(token), update.expiresAt ?? null],
  );
  return rows[0] === undefined ? null : { ...rows[0], token };
}

function tokenOf(where: CleanedWhere[]): string {
  return valueOf(where, 'token');
}

/** Returns the value of the only condition. Throws if the conditions are different. */
function valueOf(where: CleanedWhere[], field: string): string {
  const [only, ...rest] = where;
  if (only === undefined || rest.length > 0 || only.field !== field || only.operator !== 'eq') {
    throw new Error(`better-auth asked by ${JSON.stringify(where.map((each) => each.field))}, not ${field}`);
  }
  return String(only.value);
}

function unsupported(action: string, model: string): Error {
  return new Error(`better-auth asked to ${action} a ${model}`);
}
