/**
 * `node launch.cjs bench/capacity-runs/measure.ts`: measures on this machine what the simulation is
 * fed with, and writes `bench/capacity/measured.json`. It counts CPU time, which hardly depends on
 * what else the machine does; needs /proc and no fixtures, takes some minutes. `--only engine,film`
 * measures some of `service`, `engine`, `film` and `database` anew and keeps the rest.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '@guise/server/db/database.ts';
import { openEmbedded } from '@guise/server/db/embedded.ts';
import { migrate } from '@guise/server/db/migrate.ts';
import { readPostmasterPid, startService } from '../../acceptance/service.ts';
import { addWaitingTasks } from '../fill-queue.ts';
import { benchPictures } from '../pictures.ts';
import { databaseCosts } from '../queue-bench.ts';
import { measureFilm, measureStills } from './measure-engine.ts';
import { measureService } from './measure-service.ts';
import { type DatabaseCosts, type Measured, MEASURED_FILE, readMeasured } from '../capacity/sim/measured.ts';

/** Accounts with waiting tasks while claims are measured, and tasks of each. */
const [ACCOUNTS, TASKS_EACH] = [10_000, 3];

const folder = mkdtempSync(path.join(tmpdir(), 'guise-capacity-'));
// PostgreSQL may run as another user.
chmodSync(folder, 0o711);
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const PARTS = ['service', 'engine', 'film', 'database'] as const;
const { values } = parseArgs({ options: { only: { type: 'string' } } });
const wanted = values.only?.split(',') ?? PARTS;
const isWanted = (part: (typeof PARTS)[number]): boolean => wanted.includes(part);

const pictures = await benchPictures();
const models = path.join(folder, 'models');
let measured: Partial<Measured> = values.only === undefined ? {} : readMeasured();
if (isWanted('service')) {
  const { photo, item } = await measureBeside();
  measured = {
    ...measured,
    photo: { engine: [], ...measured.photo, ...photo },
    item: { engine: [], ...measured.item, ...item },
  };
}
if (isWanted('engine')) {
  say('photos and items');
  const { start, photos, items } = await measureStills(folder, models, pictures);
  measured = {
    ...measured,
    photo: { ...measured.photo!, engine: photos },
    item: { ...measured.item!, engine: items },
    engineStart: start,
  };
}
if (isWanted('film')) measured = { ...measured, film: await measureFilm(folder, models, pictures, say) };
if (isWanted('database')) measured = { ...measured, database: await measureDatabase() };
measured = {
  ...measured,
  machine: { cpu: cpus()[0]?.model ?? 'unknown', cores: availableParallelism(), node: process.version },
  date: new Date().toISOString().slice(0, 10),
};
await writeFile(MEASURED_FILE, `${JSON.stringify(measured, null, 2)}\n`);

async function measureBeside(): ReturnType<typeof measureService> {
  say('the service');
  const dataDir = path.join(folder, 'data');
  const service = await startService({ dataDir });
  try {
    const account = { email: 'capacity@example.com', plan: 'enterprise', credits: 1e6 };
    const { apiKey } = await service.createAccount(account);
    return await measureService(service, apiKey, (await readPostmasterPid(dataDir))!, pictures);
  } finally {
    await service.stop();
  }
}

async function measureDatabase(): Promise<DatabaseCosts> {
  say('the database');
  const server = await openEmbedded(path.join(folder, 'queue'), { role: 'service' });
  const db = openDatabase(server.url, { poolSize: 16 });
  try {
    await migrate(db);
    await addWaitingTasks(db, ACCOUNTS, TASKS_EACH);
    return await databaseCosts(server.url, db);
  } finally {
    await db.close();
    await server.stop();
  }
}

/** Prints progress to stderr. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
