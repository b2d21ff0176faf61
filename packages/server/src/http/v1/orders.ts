import { framesOfPart, partOfClip } from '@guise/contract/clip-part.ts';
import type { Prices } from '@guise/contract/prices.ts';
import { PLAN_LIMITS, type Plan } from '@guise/contract/plans.ts';
import {
  QUALITIES,
  type Quality,
  type V1StillFormat,
  type V1VideoFormat,
} from '@guise/contract/v1/values.ts';
import { estimateBatchSeconds, estimateVideoSeconds } from '../../present/v1/estimate-time.ts';
import type { V1Parameters } from '../../present/v1/job-parameters.ts';
import { priceOf } from '../../tasks/price-of.ts';
import type { RestoreOptions } from '@guise/contract/work.ts';
import type { NewTask, StillOutput, WorkSpec } from '../../tasks/task.ts';
import { faceMappings } from './face-mappings.ts';
import type { CheckedRequest } from './check-request.ts';

/** Task that a checked request asks for; the same for a quote. */
export type Order = Omit<NewTask, 'accountId' | 'interface' | 'parameters'> & {
  readonly parameters: V1Parameters;
};

export function newTaskOf(order: Order, accountId: string): NewTask {
  return { ...order, parameters: { ...order.parameters }, accountId, interface: 'v1' };
}

/** Restoration of images and batches (docs/decisions/0009#face_enhance). */
const STILL_RESTORE: RestoreOptions = { faceRestoreVisibility: 1, restoreVisibility: 1 };

/** Restoration of a video with `face_enhance` (docs/decisions/0009#face_enhance). */
const VIDEO_RESTORE: RestoreOptions = { faceRestoreVisibility: 0.85, restoreVisibility: 0.7 };

export function orderImage({ taken: { values, inputs } }: CheckedRequest, prices: Prices): Order {
  const quality = values.quality as Quality;
  const output_format = values.output_format as V1StillFormat;
  const faceIndex = values.face_index as number | undefined;
  const work: WorkSpec = {
    kind: 'swap-image',
    source: inputs.source_image!,
    target: inputs.target_image!,
    restore: STILL_RESTORE,
    ...(faceIndex === undefined ? {} : { faceIndex }),
    output: stillOutput(output_format, quality),
  };
  return {
    type: 'IMAGE_SWAP',
    lane: 'short',
    work,
    costCredits: priceOf(work, prices) * factorOf(quality, prices),
    parameters: { quality, output_format, ...(faceIndex === undefined ? {} : { face_index: faceIndex }) },
  };
}

export function orderVideo({ taken }: CheckedRequest, prices: Prices): Order {
  const { values, inputs, probe } = taken;
  const quality = values.quality as Quality;
  const output_format = values.output_format as V1VideoFormat;
  const face_enhance = values.face_enhance as boolean;
  const maxLongSide = QUALITIES[quality];
  const { width, height, durationSeconds } = probe!;
  const part = partOfClip(
    { start: values.start_seconds as number | undefined, end: values.end_seconds as number | undefined },
    durationSeconds,
    { start: 'start_seconds', end: 'end_seconds', clip: 'target_video' },
  );
  const frameCount = framesOfPart(part ?? undefined, probe!);
  const scale = Math.min(1, maxLongSide / Math.max(width, height));
  const mappings = faceMappings(taken, inputs.target_video!, part);
  const common = {
    target: inputs.target_video!,
    restore: face_enhance ? VIDEO_RESTORE : { ...VIDEO_RESTORE, faceRestoreVisibility: 0 },
    size: { maxLongSide },
    ...(part === null ? {} : { part }),
    container: output_format,
  };
  const work: WorkSpec =
    mappings === null
      ? { kind: 'swap-video', source: inputs.source_image!, ...common }
      : { kind: 'swap-persons', as: 'video', mappings, ...common };
  return {
    type: 'VIDEO_SWAP',
    lane: 'long',
    work,
    costCredits: priceOf(work, prices) * factorOf(quality, prices),
    parameters: {
      quality,
      output_format,
      face_enhance,
      ...(part === null ? {} : { start_seconds: part.startSeconds, end_seconds: part.endSeconds }),
      total_frames: frameCount,
      estimated_time: estimateVideoSeconds(frameCount, { width: width * scale, height: height * scale }),
    },
    webhookUrl: values.webhook_url as string | undefined,
  };
}

export function orderBatch(
  { taken: { values, inputs, lists } }: CheckedRequest,
  prices: Prices,
  plan: Plan,
): Order {
  const quality = values.quality as Quality;
  const output_format = values.output_format as V1StillFormat;
  const source = inputs.source_image!;
  const targets = lists.target_images!;
  const work: WorkSpec = {
    kind: 'swap-batch',
    items: targets.map((target) => ({ source, target })),
    restore: STILL_RESTORE,
    output: stillOutput(output_format, quality),
  };
  return {
    type: 'BATCH_FACE_SWAP',
    lane: 'long',
    work,
    costCredits: priceOf(work, prices) * factorOf(quality, prices),
    parameters: {
      quality,
      output_format,
      total_images: targets.length,
      estimated_time: estimateBatchSeconds(targets.length),
    },
    webhookUrl: values.webhook_url as string | undefined,
    maxUnfinished: PLAN_LIMITS[plan].concurrentBatches ?? undefined,
  };
}

function stillOutput(format: V1StillFormat, quality: Quality): StillOutput {
  return { format: format === 'jpg' ? 'jpeg' : format, maxLongSide: QUALITIES[quality] };
}

function factorOf(quality: Quality, prices: Prices): number {
  return quality === '4k' ? prices.factor4k : 1;
}
