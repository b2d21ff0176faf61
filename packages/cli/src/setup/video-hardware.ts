import type { VideoHardware } from '@guise/contract/video-hardware.ts';
import type { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import { loadConfig } from '@guise/server/config/config.ts';
import { workingHardware } from '@guise/server/worker/work/working-hardware.ts';

/**
 * Returns the first of GUISE_VIDEO_HARDWARE that encodes here, if there is one. Says which do not
 * work.
 */
export async function videoHardware(engine: EngineProcess): Promise<VideoHardware | undefined> {
  const working = await workingHardware(
    loadConfig().videoHardware,
    (hardware) => engine.run({ kind: 'try-video-hardware', hardware }),
    (hardware, problem) => process.stderr.write(`guise: ${hardware} does not encode here: ${problem}\n`),
  );
  return working?.hardware;
}
