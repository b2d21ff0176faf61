import { tryVideoHardware } from '@guise/media/video/try-video-hardware.ts';
import { checkFace } from './check-face-job.ts';
import { cutFilm } from './cut-film-job.ts';
import { lookAtClip } from './look-at-clip-job.ts';
import { swapPersons } from './swap-persons-job.ts';
import { chooseFaces } from './choose-faces-job.ts';
import { drawSegment } from './draw-segment-job.ts';
import { identifyFaces } from './identify-faces-job.ts';
import { joinFilm } from './join-film-job.ts';
import { studySegment } from './study-segment-job.ts';
import { detectFaces } from './detect-faces-job.ts';
import type { AnyOutcome, EngineJob } from '../protocol/engine-job.ts';
import type { JobHooks, JobTools } from './job-tools.ts';
import { swapGroup } from './swap-group-job.ts';
import { swapImage } from './swap-image-job.ts';
import { swapVideo } from './swap-video-job.ts';

/**
 * Runs a job from files to files: decode, swap, encode, sign. Call it only in the engine process,
 * because it opens untrusted files.
 * @throws TaskFailure for every error that a client may see
 */
export async function runJob(tools: JobTools, job: EngineJob, hooks: JobHooks): Promise<AnyOutcome> {
  switch (job.kind) {
    case 'swap-image':
      return swapImage(tools, job, hooks);
    case 'swap-group':
      return swapGroup(tools, job, hooks);
    case 'swap-video':
      return swapVideo(tools, job, hooks);
    case 'swap-persons':
      return swapPersons(tools, job, hooks);
    case 'detect-faces':
      return detectFaces(tools, job, hooks);
    case 'check-face':
      return checkFace(tools, job, hooks);
    case 'identify-faces':
      return identifyFaces(tools, job, hooks);
    case 'look-at-clip':
      return lookAtClip(tools, job, hooks);
    case 'cut-film':
      return cutFilm(tools, job, hooks);
    case 'study-segment':
      return studySegment(tools, job, hooks);
    case 'choose-faces':
      return chooseFaces(job);
    case 'draw-segment':
      return drawSegment(tools, job, hooks);
    case 'join-film':
      return joinFilm(job, hooks);
    case 'try-video-hardware':
      return tryVideoHardware(job.hardware);
    case 'try-providers':
      return tools.engine.tryProviders(job.providers);
    case 'inspect-network':
      return tools.engine.inspectNetwork(job.networkPath, job.protocol, job.hasMatrix);
  }
}
