import { statfs } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import path from 'node:path';
import { GUISE_VERSION } from '@guise/contract/version.ts';
import { canLoadNodeAv, NO_NODE_AV } from '@guise/media/video/node-av.ts';
import { type Config, loadConfig } from '@guise/server/config/config.ts';
import { findListenPort } from '@guise/server/main/listen-port.ts';
import { printResult } from '../console/print.ts';
import { nearestExisting } from '../setup/output-file.ts';
import { hasDatabase, withBareDatabase } from '../setup/with-database.ts';
import { withEngine } from '../setup/with-engine.ts';
import { withWorkspace } from '../setup/workspace.ts';
import { swapSamples } from './swap/swap-samples.ts';

/** What a check found. */
interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  /** What to do; absent if the check passed. */
  readonly advice?: string;
}

/** Bytes of a gigabyte. */
const GB = 1e9;
/** Free disk that the models, the database and some results need, bytes. */
const NEEDED_DISK_BYTES = 1 * GB;
/** Memory that the service needs, and more for each core, bytes. */
const NEEDED_MEMORY_BYTES = { service: 0.8 * GB, perCore: 0.5 * GB };
/** Longest wait for an answer from the service. */
const ANSWER_MS = 2000;

/** Checks what guise needs on this machine. Exit code 1 if something is missing. */
export async function doctor(options: { readonly json?: true }): Promise<void> {
  const config = loadConfig();
  const findings = [
    checkNode(),
    checkMemory(),
    await checkDisk(config),
    await checkPort(config),
    await checkDatabase(config),
    await checkVideos(),
    await checkSwap(),
  ];
  if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
  printResult(options, { version: GUISE_VERSION, dataDir: config.dataDir, checks: findings }, [
    `guise ${GUISE_VERSION}, data in ${config.dataDir}`,
    ...findings.map(
      ({ check, ok, found, advice }) =>
        `${ok ? 'ok     ' : 'PROBLEM'}  ${check}: ${found}${advice === undefined ? '' : `\n         ${advice}`}`,
    ),
  ]);
}

/** Makes a finding. @param advice what to do if the check did not pass */
function finding(check: string, ok: boolean, found: string, advice: string): Finding {
  return { check, ok, found, ...(ok ? {} : { advice }) };
}

function checkNode(): Finding {
  return { check: 'Node.js', ok: true, found: `${process.version}, ${process.platform} ${process.arch}` };
}

function checkMemory(): Finding {
  const cores = availableParallelism();
  const needed = NEEDED_MEMORY_BYTES.service + cores * NEEDED_MEMORY_BYTES.perCore;
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return finding(
    'memory',
    memory >= needed,
    `${gigabytes(memory)} for ${cores} cores`,
    `guise needs ${gigabytes(needed)} here. Add memory, or set GUISE_ENGINE_SLOTS to a smaller number.`,
  );
}

async function checkDisk({ dataDir }: Config): Promise<Finding> {
  const place = nearestExisting(dataDir);
  const { bavail, bsize } = await statfs(place);
  return finding(
    'disk',
    bavail * bsize >= NEEDED_DISK_BYTES,
    `${gigabytes(bavail * bsize)} free for the data`,
    `guise needs ${gigabytes(NEEDED_DISK_BYTES)}. Free some space, or set GUISE_DATA_DIR to a folder on a larger disk.`,
  );
}

async function checkPort({ host, port }: Config): Promise<Finding> {
  const name = `port ${port}`;
  try {
    await findListenPort(host, port);
    return { check: name, ok: true, found: 'free, so the service can start' };
  } catch (error) {
    if (await isGuise(host, port)) return { check: name, ok: true, found: 'a guise service answers there' };
    return finding(name, false, (error as Error).message, 'Set PORT to a free one.');
  }
}

async function isGuise(host: string, port: number): Promise<boolean> {
  const address = host.includes(':') ? `[${host}]` : host;
  try {
    const url = `http://${address}:${port}/api/ai-tasks/openapi.json`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    return answer.ok && (await answer.text()).includes('guise');
  } catch {
    return false;
  }
}

async function checkDatabase(config: Config): Promise<Finding> {
  const name = config.databaseUrl === null ? 'database (embedded)' : 'database (DATABASE_URL)';
  if (!hasDatabase(config))
    return { check: name, ok: true, found: 'none yet: the first start of the service makes it' };
  try {
    const version = await withBareDatabase(async (db) => {
      const { rows } = await db.pool.query<{ version: string }>(
        `select current_setting('server_version') as version`,
      );
      return rows[0]!.version;
    });
    return { check: name, ok: true, found: `PostgreSQL ${version} answers` };
  } catch (error) {
    return finding(
      name,
      false,
      (error as Error).message,
      config.databaseUrl === null
        ? `Read ${path.join(config.dataDir, 'postgres.log')}.`
        : 'Check DATABASE_URL, and whether the server lets this machine in.',
    );
  }
}

async function checkVideos(): Promise<Finding> {
  const canLoad = await canLoadNodeAv();
  return finding(
    'videos',
    canLoad,
    canLoad ? 'node-av loads' : NO_NODE_AV,
    'Install guise again without --omit=optional. Photos and GIFs work without it.',
  );
}

/** Swaps the sample faces, which also makes the models if they are missing. */
async function checkSwap(): Promise<Finding> {
  try {
    const elapsedMs = await withWorkspace(null, (workspace) =>
      withEngine(workspace, async (engine) => {
        const beganMs = performance.now();
        await swapSamples(engine, path.join(workspace.folder, 'result.png'));
        return Math.round(performance.now() - beganMs);
      }),
    );
    return { check: 'swap of the samples', ok: true, found: `${elapsedMs} ms, the first one of an engine` };
  } catch (error) {
    const advice = 'See docs/guide/troubleshooting.md, or report it with this text.';
    return finding('swap of the samples', false, (error as Error).message, advice);
  }
}

function gigabytes(bytes: number): string {
  return `${(bytes / GB).toFixed(1)} GB`;
}
