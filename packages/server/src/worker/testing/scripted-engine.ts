/**
 * Stands where the engine process stands and does what a job's `sourcePath` says, or the file there: for tests of its
 * parent and of the worker.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SeenSource } from '@guise/engine/pipeline/source-photos.ts';
import type { MessageFromEngine, MessageToEngine } from '../engine-job.ts';

const send = (message: MessageFromEngine): void => void process.send?.(message);
const held: Buffer[] = [];
const toldSource = new Map<number, (seen: SeenSource | null) => void>();

process.on('disconnect', () => process.exit());
process.on('message', (message: MessageToEngine) => {
  if (message.type === 'seen-source') toldSource.get(message.jobId)?.(message.seen);
  if (message.type !== 'job') return;
  const { jobId, job } = message;
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
      // Not before somebody else has come to the same folder.
      writeFileSync(path.join(folder!, `${process.pid} ${jobId}`), '');
      const waiting = setInterval(() => {
        if (readdirSync(folder!).length < 2) return;
        clearInterval(waiting);
        answer(jobId, job.outputPath);
      }, 5);
      break;
    }
    case 'share-sight': {
      // What this process was told is left in the folder; whoever looks does not before another one waits for it.
      if (message.isToldSource) {
        toldSource.set(jobId, (seen) => {
          writeFileSync(path.join(folder!, seen === null ? 'nothing seen' : 'seen'), '');
          answer(jobId, job.outputPath);
        });
        writeFileSync(path.join(folder!, 'waits'), '');
        break;
      }
      const looking = setInterval(() => {
        if (!existsSync(path.join(folder!, 'waits'))) return;
        clearInterval(looking);
        if (how === 'blindly') fail(jobId);
        else send({ type: 'seen-source', jobId, seen: { faces: [], identity: null } });
      }, 5);
      const answering = setInterval(() => {
        if (!existsSync(path.join(folder!, 'seen'))) return;
        clearInterval(answering);
        answer(jobId, job.outputPath);
      }, 5);
      break;
    }
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

function fail(jobId: number): void {
  send({ type: 'failed', jobId, code: 'DECODE_FAILED', message: 'It is damaged.', detail: 'at byte 7' });
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
  timingsMs: {},
};

if (path.basename(process.argv[2] ?? '') === 'broken') throw new Error('the models are broken');
send({ type: 'ready', engine: { name: 'scripted', version: '1' } });
