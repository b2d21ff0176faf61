import path from 'node:path';
import { shareModels } from '@guise/engine/models/testing/test-models.ts';
import { createApiKey } from '@guise/server/accounts/api-keys.ts';
import { createAccount } from '@guise/server/accounts/create-account.ts';
import { type Database, openDatabase } from '@guise/server/db/database.ts';
import { type EmbeddedPostgres, openEmbedded } from '@guise/server/db/embedded.ts';
import { migrate } from '@guise/server/db/migrate.ts';
import { type S3Service, startS3Service } from '@guise/server/storage/testing/s3-service.ts';
import { makeDataDir, readPostmasterPid, removeDataDir, type TestAccount } from '../service.ts';
import { until } from '../reliability/processes.ts';
import { Machine, type Role } from './machine.ts';

/** Engines of each worker: one for short work, one for long. */
const ENGINE_SLOTS = 2;

/** Machines on one PostgreSQL and one bucket, each with a data folder of its own. */
export class Installation {
  readonly db: Database;
  readonly bucket: S3Service;
  /** All API processes. */
  readonly apis: Machine[] = [];
  /** All worker processes. */
  readonly workers: Machine[] = [];
  readonly #dataDir: string;
  readonly #postgres: EmbeddedPostgres;

  private constructor(dataDir: string, postgres: EmbeddedPostgres, bucket: S3Service) {
    this.#dataDir = dataDir;
    this.#postgres = postgres;
    this.bucket = bucket;
    this.db = openDatabase(postgres.url, { poolSize: 2 });
  }

  /** Starts PostgreSQL and the bucket. */
  static async start(): Promise<Installation> {
    const dataDir = await makeDataDir();
    const [postgres, bucket] = await Promise.all([
      openEmbedded(dataDir, { role: 'service', settings: { max_connections: '200' } }),
      startS3Service(),
    ]);
    const installation = new Installation(dataDir, postgres, bucket);
    await migrate(installation.db);
    return installation;
  }

  /** Adds machines of a role, and waits until all of them are ready. */
  async add(role: Role, count: number): Promise<void> {
    const machines = role === 'server' ? this.apis : this.workers;
    const first = machines.length;
    for (let k = first; k < first + count; k++) {
      const home = this.#homeOf(role, k);
      // The conversion of models is not what is tested here.
      await shareModels(home);
      const { endpoint, region, bucket, credentials } = this.bucket.config;
      const machine = new Machine(role, {
        // The same work must give the same pictures.
        GUISE_WATERMARK: 'off',
        DATABASE_URL: this.#postgres.url,
        GUISE_DATA_DIR: home,
        GUISE_S3_ENDPOINT: endpoint,
        GUISE_S3_REGION: region,
        GUISE_S3_BUCKET: bucket,
        GUISE_S3_ACCESS_KEY_ID: credentials!.accessKeyId,
        GUISE_S3_SECRET_ACCESS_KEY: credentials!.secretAccessKey,
        GUISE_ENGINE_SLOTS: String(ENGINE_SLOTS),
        GUISE_LOG_LEVEL: 'warn',
      });
      machines.push(machine);
      machine.start();
    }
    await Promise.all(machines.slice(first).map((machine) => machine.ready()));
  }

  async createAccount(email: string, credits: number): Promise<TestAccount> {
    const options = { email, plan: 'enterprise', emailVerified: true, startingCredits: credits } as const;
    const { id } = await createAccount(this.db, options);
    const { secret } = await createApiKey(this.db.pool, id, 'test');
    return { accountId: id, email, apiKey: secret };
  }

  /** SIGKILL to PostgreSQL; it is started again on the same folder. */
  async killPostgres(): Promise<void> {
    const pid = await readPostmasterPid(this.#dataDir);
    process.kill(pid!, 'SIGKILL');
    await until('PostgreSQL is back', async () => {
      const found = await readPostmasterPid(this.#dataDir);
      return found !== null && found !== pid && (await this.#answers());
    });
  }

  async stop(): Promise<void> {
    await Promise.all([...this.apis, ...this.workers].map((machine) => machine.stop()));
    await this.db.close();
    await Promise.all([this.#postgres.stop(), this.bucket.stop()]);
    await removeDataDir(this.#dataDir);
  }

  #answers(): Promise<boolean> {
    return this.db.pool.query('select 1').then(
      () => true,
      () => false,
    );
  }

  #homeOf(role: Role, k: number): string {
    return path.join(path.dirname(this.#dataDir), `${role}-${k}`);
  }
}
