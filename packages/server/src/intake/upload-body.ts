import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { AppError } from '@guise/contract/errors.ts';
import type { PromisedRoom } from '../storage/disk-room.ts';
import { ClientGone } from './client-gone.ts';
import { MIN_BYTES_PER_SECOND, PACE_INTERVAL_MS, UploadPace } from './upload-pace.ts';

/**
 * Returns the body of a request as a stream. The stream fails if the client leaves or sends too
 * slowly, or if the disk fills up. If the stream is destroyed, the request stays open for an error
 * answer.
 */
export function uploadBody(request: IncomingMessage, room: PromisedRoom): Transform {
  const pace = new UploadPace();
  const body = new Transform({
    async transform(chunk: Buffer, _encoding, done) {
      pace.arrived(chunk.length);
      try {
        await room.use(chunk.length);
      } catch (error) {
        done(error as Error);
        return;
      }
      done(null, chunk);
    },
    flush(done) {
      done(request.complete ? null : clientGone());
    },
    destroy(error, done) {
      clearInterval(timer);
      // This must happen at once. Later it would stop the reading of the rest before an error
      // answer.
      request.unpipe(body).off('close', onGone);
      done(error);
    },
  });
  const onGone = (): void => {
    if (!request.complete) body.destroy(clientGone());
  };
  const timer = setInterval(() => {
    const isWaiting = request.readableLength === 0 && body.writableLength === 0;
    if (pace.second(isWaiting)) body.destroy(tooSlow());
  }, PACE_INTERVAL_MS);
  // This error listener is never removed, so that a later disconnect does not end the process.
  request.on('error', onGone).on('close', onGone);
  // The client may have left before this function was called. Then no event would come.
  if (request.destroyed) onGone();
  else request.pipe(body);
  return body;
}

function clientGone(): ClientGone {
  return new ClientGone('the client went away during its upload');
}

function tooSlow(): AppError {
  const limit = MIN_BYTES_PER_SECOND;
  const message = `The upload was too slow: it must send at least ${limit} bytes per second on average.`;
  return new AppError('INVALID_REQUEST', message, { limit });
}
