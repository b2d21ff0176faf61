import { randomUUID } from 'node:crypto';
import { embeddingDistance } from '@guise/engine/face/detect/embedding-distance.ts';
import type { Queryable } from '../db/database.ts';
import { decrypt, encrypt, type KeySecrets } from '../db/encryption.ts';
import { openEmbeddingKey } from './embedding-key.ts';

/** Purpose of the key that encrypts embeddings. */
const PURPOSE = 'guise blocklist';

/** A person whose face must not be used. */
export interface BlockedPerson {
  readonly id: string;
  readonly name: string;
  readonly why: string;
  readonly createdAt: Date;
}

/** Columns of a `BlockedPerson`. */
const COLUMNS = 'id, name, why, created_at as "createdAt"';

/**
 * Lists the people, newest first. @param after id of the last one of the previous page. @param
 * limit default: all
 */
export async function listBlocked(
  db: Queryable,
  { after, limit }: { readonly after?: string; readonly limit?: number } = {},
): Promise<BlockedPerson[]> {
  const { rows } = await db.query<BlockedPerson>(
    `select ${COLUMNS} from blocklist
     where $1::uuid is null or (created_at, id) < (select created_at, id from blocklist where id = $1)
     order by blocklist.created_at desc, id desc limit $2`,
    [after, limit],
  );
  return rows;
}

/**
 * Encrypts the embedding of a face as the blocklist stores it. Call it in parent processes only.
 */
export async function sealEmbedding(
  db: Queryable,
  secrets: KeySecrets,
  embedding: Float32Array,
): Promise<Buffer> {
  return encrypt(JSON.stringify([...embedding]), await openEmbeddingKey(db, secrets), PURPOSE);
}

/** Adds a person. @param embedding of the face, from `sealEmbedding` */
export async function addBlocked(
  db: Queryable,
  { name, why }: Pick<BlockedPerson, 'name' | 'why'>,
  embedding: Buffer,
): Promise<BlockedPerson> {
  const { rows } = await db.query<BlockedPerson>(
    `insert into blocklist (id, name, why, embedding) values ($1, $2, $3, $4) returning ${COLUMNS}`,
    [randomUUID(), name, why, embedding],
  );
  return rows[0]!;
}

/** Removes a person. @returns null if there is none with this id */
export async function removeBlocked(db: Queryable, id: string): Promise<BlockedPerson | null> {
  const { rows } = await db.query<BlockedPerson>(
    `delete from blocklist where id::text = lower($1) returning ${COLUMNS}`,
    [id],
  );
  return rows[0] ?? null;
}

/** A face that is on the blocklist. */
export interface BlockedMatch {
  readonly personId: string;
  /** Euclidean distance of the two embeddings. */
  readonly distance: number;
}

/** An embedding of the blocklist, decrypted. */
interface Entry {
  readonly id: string;
  readonly embedding: Float32Array;
}

/**
 * The blocklist as a parent process compares with it. It is read again whenever it has changed, so
 * that a new person counts at once.
 */
export class Blocklist {
  readonly #db: Queryable;
  readonly #secrets: KeySecrets;
  readonly #maxDistance: number;
  #version = '';
  #entries: readonly Entry[] = [];

  /** @param maxDistance largest distance of embeddings that count as one person's */
  constructor(db: Queryable, secrets: KeySecrets, maxDistance: number) {
    this.#db = db;
    this.#secrets = secrets;
    this.#maxDistance = maxDistance;
  }

  /** Encrypts an embedding; see `sealEmbedding`. */
  seal(embedding: Float32Array): Promise<Buffer> {
    return sealEmbedding(this.#db, this.#secrets, embedding);
  }

  /** Returns whether nobody is on it, so that no face need be looked at. */
  async isEmpty(): Promise<boolean> {
    return (await this.#read()).length === 0;
  }

  /** Finds the nearest person of the blocklist; null if none is near enough. */
  async find(embeddings: readonly ArrayLike<number>[]): Promise<BlockedMatch | null> {
    let best: BlockedMatch | null = null;
    for (const { id, embedding } of await this.#read()) {
      for (const other of embeddings) {
        // An engine that opened a hostile file may send anything. What is no number is never near.
        const distance = other.length === embedding.length ? embeddingDistance(embedding, other) : NaN;
        if (distance <= (best?.distance ?? this.#maxDistance)) best = { personId: id, distance };
      }
    }
    return best;
  }

  async #read(): Promise<readonly Entry[]> {
    // Who is added comes last, and who is removed lowers the number.
    const { rows } = await this.#db.query<{ version: string }>({
      name: 'blocklist-version',
      text: `select concat(count(*), ' ', max(created_at)) as version from blocklist`,
    });
    const { version } = rows[0]!;
    if (version === this.#version) return this.#entries;
    this.#entries = await this.#decrypted();
    this.#version = version;
    return this.#entries;
  }

  async #decrypted(): Promise<readonly Entry[]> {
    const { rows } = await this.#db.query<{ id: string; embedding: Buffer }>(
      'select id, embedding from blocklist',
    );
    if (rows.length === 0) return [];
    const key = await openEmbeddingKey(this.#db, this.#secrets);
    return rows.map(({ id, embedding }) => {
      const text = decrypt(embedding, key, PURPOSE);
      if (text === null) throw new Error(`entry ${id} of the blocklist cannot be decrypted`);
      return { id, embedding: Float32Array.from(JSON.parse(text) as number[]) };
    });
  }
}
