import { MediaError } from '../media-error.ts';
import type { ProbeReply, ProbeRequest } from './isolated.ts';
import { probeVideo } from './probe.ts';

/** The forked side of `probeVideoIsolated`: one file, one answer; the parent then ends this process. */
process.once('message', (message) => {
  const { filePath, limits } = message as ProbeRequest;
  probeVideo(filePath, limits).then(
    (probe) => reply({ probe }),
    (error: unknown) => {
      const known = error instanceof MediaError;
      const text = error instanceof Error ? error.message : String(error);
      reply({
        error: { code: known ? error.code : null, message: text, limit: known ? error.limit : null },
      });
    },
  );
});
// The parent is gone: nobody waits for the answer, and nobody would end us.
process.once('disconnect', () => process.exit(1));

function reply(message: ProbeReply): void {
  process.send?.(message);
}
