import type { EngineInfo, SwapVideoOutcome } from '@guise/engine-host/protocol/engine-job.ts';
import type { Receipt, TaskResult } from '../../tasks/task.ts';
import type { PendingOutput } from './pending-output.ts';

/**
 * Stores a clip that an engine made in one piece.
 * @param engine what drew the faces
 * @param own parts of the receipt that only this kind of swap has
 */
export async function storeClip(
  output: PendingOutput,
  made: Omit<SwapVideoOutcome, 'sourceShares'>,
  engine: EngineInfo,
  own: Pick<Receipt, 'persons' | 'sourceShares' | 'label' | 'watermark' | 'warnings'>,
): Promise<TaskResult> {
  const { contentType, width, height, sizeBytes, sha256, durationSeconds } = made;
  const { facesFound, frames, longestGapFrames, identitySimilarity } = made;
  const stored = await output.store(made);
  return {
    outputs: [{ index: 0, ...stored, contentType, width, height, sizeBytes, durationSeconds, sha256 }],
    failures: [],
    receipt: {
      facesFound,
      frames,
      longestGapFrames,
      engine,
      identitySimilarity,
      ...own,
      credits: 0,
    },
  };
}
