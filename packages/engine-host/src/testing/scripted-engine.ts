/**
 * Program in place of the engine process, for tests of its parent and of the worker. The program
 * does what a job's `sourcePath`, or the file there, says. Its version is the name of its model
 * folder.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { SourceAnalysis } from '@guise/engine/pipeline/source-photos.ts';
import { giveUpRights } from '@guise/media/isolation/give-up-rights.ts';
import type { UnprivilegedUser } from '@guise/media/isolation/unprivileged-user.ts';
import type { SignableType } from '@guise/media/provenance/wrap-manifest.ts';
import type { MessageFromEngine, MessageToEngine } from '../protocol/engine-job.ts';
import { isFilmJob, scriptedFilm } from './scripted-film.ts';

const send = (message: MessageFromEngine): void => void process.send?.(message);
const held: Buffer[] = [];
const askedToSign = new Map<number, string>();
const awaitedAnalyses = new Map<number, (analysis: SourceAnalysis | null) => void>();

process.on('disconnect', () => process.exit());
process.on('message', (message: MessageToEngine) => {
  if (message.type === 'source-analysis') awaitedAnalyses.get(message.jobId)?.(message.analysis);
  if (message.type === 'signed') answer(message.jobId, askedToSign.get(message.jobId)!);
  if (message.type !== 'job') return;
  const { jobId, job } = message;
  if (isFilmJob(job)) {
    void doFilmJob(jobId, job);
    return;
  }
  if (job.kind !== 'swap-image') throw new Error('only swaps are scripted');
  const script = existsSync(job.sourcePath) ? readFileSync(job.sourcePath, 'utf8') : job.sourcePath;
  const [word, folder, how] = script.split(' ');
  switch (word) {
    case 'answer-pid':
      answer(jobId, job.outputPath);
      break;
    case 'note-path':
      writeFileSync(path.join(folder!, `${process.pid} ${jobId}`), job.sourcePath);
      answer(jobId, job.outputPath);
      break;
    case 'write-together':
    case 'answer-together': {
      if (word === 'write-together') send({ type: 'writing', jobId });
      // Waits until another process has come to the same folder.
      writeFileSync(path.join(folder!, `${process.pid} ${jobId}`), '');
      const waiting = setInterval(() => {
        if (readdirSync(folder!).length < 2) return;
        clearInterval(waiting);
        answer(jobId, job.outputPath);
      }, 5);
      break;
    }
    case 'share-analysis': {
      // A process that gets the analysis notes this in the folder. The process that makes the
      // analysis waits until another waits for it.
      if (message.expectsSourceAnalysis) {
        awaitedAnalyses.set(jobId, (analysis) => {
          writeFileSync(path.join(folder!, analysis === null ? 'no analysis' : 'analysis'), '');
          answer(jobId, job.outputPath);
        });
        writeFileSync(path.join(folder!, 'waits'), '');
        break;
      }
      const analysing = setInterval(() => {
        if (!existsSync(path.join(folder!, 'waits'))) return;
        clearInterval(analysing);
        if (how === 'blindly') fail(jobId);
        else send({ type: 'source-analysis', jobId, analysis: { faces: [], identity: null } });
      }, 5);
      const answering = setInterval(() => {
        if (!existsSync(path.join(folder!, 'analysis'))) return;
        clearInterval(answering);
        answer(jobId, job.outputPath);
      }, 5);
      break;
    }
    case 'sign':
      // `sign TYPE,TYPE BYTES` sends one request for each type, with a hash of BYTES bytes.
      askedToSign.set(jobId, job.outputPath);
      for (const contentType of folder!.split(',') as SignableType[]) {
        const mediaSha256 = new Uint8Array(Number(how));
        send({ type: 'sign', jobId, request: { contentType, mediaSha256, at: 33 } });
      }
      break;
    case 'leave':
      // `leave WHAT TARGET`
      if (folder === 'input') renameSync(job.sourcePath, job.outputPath);
      else leave(folder!, how!, job.outputPath);
      answer(jobId, '');
      break;
    case 'babble':
      process.send?.(null);
      break;
    case 'fail':
      fail(jobId);
      break;
    case 'crash':
      process.stderr.write('illegal instruction\n', () => process.abort());
      break;
    case 'hang':
      send({ type: 'progress', jobId, progress: 0.1 });
      for (;;);
    case 'eat-memory':
      setInterval(() => held.push(Buffer.alloc(32 * 1024 * 1024, 1)), 5);
      break;
    default:
      throw new Error(`no such script: ${script}`);
  }
});

async function doFilmJob(jobId: number, job: Parameters<typeof scriptedFilm>[0]): Promise<void> {
  const outcome = await scriptedFilm(job, (progress) => send({ type: 'progress', jobId, progress }));
  if (outcome === null) fail(jobId);
  else send({ type: 'done', jobId, outcome });
}

/** Leaves something other than a file of our own as the output. */
function leave(what: string, target: string, outputPath: string): void {
  if (what === 'symlink') symlinkSync(target, outputPath);
  if (what === 'link') linkSync(target, outputPath);
  if (what === 'pipe') execFileSync('mkfifo', [outputPath]);
  if (what === 'folder') mkdirSync(path.join(outputPath, 'deep'), { recursive: true });
}

function fail(jobId: number): void {
  send({
    type: 'failed',
    jobId,
    code: 'DECODE_FAILED',
    message: 'It is damaged.',
    detail: 'at byte 7',
    mustRestart: false,
  });
}

function answer(jobId: number, outputPath: string): void {
  if (outputPath !== '') writeFileSync(outputPath, 'a picture');
  send({ type: 'progress', jobId, progress: 0.5 });
  send({ type: 'done', jobId, outcome: { ...outcome, width: process.pid } });
}

const outcome = {
  contentType: 'image/png',
  width: 0,
  height: 1,
  sizeBytes: 1,
  sha256: '',
  facesFound: 1,
  swappedFaceIndex: 0,
  identitySimilarity: null,
  sourceShares: [1],
  swapped: [],
  timingsMs: {},
};

await giveUpRights(JSON.parse(process.argv[4]!) as UnprivilegedUser | null, []);
const models = path.basename(process.argv[2] ?? '');
if (models === 'broken') throw new Error('the models are broken');
const version = models.startsWith('version-') ? models : '1';
send({ type: 'ready', engine: { name: 'scripted', version } });
