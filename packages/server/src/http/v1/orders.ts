import { CLIP_RESTORE, STILL_RESTORE } from '@guise/contract/ai-tasks/forms.ts';
import { framesOfPart, partOfClip } from '@guise/contract/clip-part.ts';
import type { Prices } from '@guise/contract/prices.ts';
import { PLAN_LIMITS, type Plan } from '@guise/contract/plans.ts';
import type { BATCH_SWAP_BODY, IMAGE_SWAP_BODY, VIDEO_SWAP_BODY } from '@guise/contract/v1/bodies.ts';
import { QUALITIES, type Quality, type V1StillFormat } from '@guise/contract/v1/values.ts';
import { estimateBatchSeconds, estimateVideoSeconds } from '../../present/v1/estimate-time.ts';
import type { V1Parameters } from '../../present/v1/job-parameters.ts';
import { priceOf } from '../../tasks/price-of.ts';
import type { StillOutput } from '@guise/contract/work.ts';
import type { NewTask, WorkSpec } from '../../tasks/task.ts';
import { clipFaces, personOf } from './clip-faces.ts';
import type { CheckedRequest } from './check-request.ts';

/** Task or quote that a checked request asks for. */
export type Order = Omit<NewTask, 'accountId' | 'interface' | 'parameters'> & {
  readonly parameters: V1Parameters;
};

export function newTaskOf(order: Order, accountId: string): NewTask {
  return { ...order, parameters: { ...order.parameters }, accountId, interface: 'v1' };
}

export function orderImage({ taken }: CheckedRequest<typeof IMAGE_SWAP_BODY>, prices: Prices): Order {
  const { values, inputs } = taken;
  const { quality, output_format, label, face_index: faceIndex } = values;
  const work: WorkSpec = {
    kind: 'swap-image',
    ...personOf(taken, inputs.source_image),
    target: inputs.target_image,
    restore: STILL_RESTORE,
    faceIndex,
    output: stillOutput(output_format, quality),
    label,
  };
  return {
    type: 'IMAGE_SWAP',
    lane: 'short',
    work,
    costCredits: priceOf(work, prices) * factorOf(quality, prices),
    parameters: {
      quality,
      output_format,
      ...(faceIndex === undefined ? {} : { face_index: faceIndex }),
      ...(label && { label }),
    },
  };
}

export function orderVideo({ taken }: CheckedRequest<typeof VIDEO_SWAP_BODY>, prices: Prices): Order {
  const { values, inputs, probe } = taken;
  const { quality, output_format, face_enhance, label } = values;
  const maxLongSide = QUALITIES[quality];
  const { width, height, durationSeconds } = probe!;
  const part = partOfClip({ start: values.start_seconds, end: values.end_seconds }, durationSeconds, {
    start: 'start_seconds',
    end: 'end_seconds',
    clip: 'target_video',
  });
  const frameCount = framesOfPart(part, probe!);
  const scale = Math.min(1, maxLongSide / Math.max(width, height));
  const faces = clipFaces(taken, inputs.target_video, part);
  const common = {
    target: inputs.target_video,
    restore: face_enhance ? CLIP_RESTORE : { ...CLIP_RESTORE, faceRestoreVisibility: 0 },
    size: { maxLongSide },
    label,
    part,
    container: output_format,
  };
  const work: WorkSpec =
    'source' in faces
      ? { kind: 'swap-video', ...faces, ...common }
      : { kind: 'swap-persons', as: 'video', ...faces, ...common };
  return {
    type: 'VIDEO_SWAP',
    lane: 'long',
    work,
    costCredits: priceOf(work, prices) * factorOf(quality, prices),
    parameters: {
      quality,
      output_format,
      face_enhance,
      ...(label && { label }),
      ...(part && { start_seconds: part.startSeconds, end_seconds: part.endSeconds }),
      total_frames: frameCount,
      estimated_time: estimateVideoSeconds(frameCount, { width: width * scale, height: height * scale }),
    },
    webhookUrl: values.webhook_url,
  };
}

export function orderBatch(
  { taken }: CheckedRequest<typeof BATCH_SWAP_BODY>,
  prices: Prices,
  plan: Plan,
): Order {
  const { values, inputs, lists } = taken;
  const { quality, output_format, label } = values;
  const { source, additionalSources } = personOf(taken, inputs.source_image);
  const targets = lists.target_images;
  const work: WorkSpec = {
    kind: 'swap-batch',
    items: targets.map((target) => ({ source, additionalSources, target })),
    restore: STILL_RESTORE,
    output: stillOutput(output_format, quality),
    label,
  };
  return {
    type: 'BATCH_FACE_SWAP',
    lane: 'long',
    work,
    costCredits: priceOf(work, prices) * factorOf(quality, prices),
    parameters: {
      quality,
      output_format,
      ...(label && { label }),
      total_images: targets.length,
      estimated_time: estimateBatchSeconds(targets.length),
    },
    webhookUrl: values.webhook_url,
    maxUnfinished: PLAN_LIMITS[plan].concurrentBatches ?? undefined,
  };
}

function stillOutput(format: V1StillFormat, quality: Quality): StillOutput {
  return { format: format === 'jpg' ? 'jpeg' : format, maxLongSide: QUALITIES[quality] };
}

function factorOf(quality: Quality, prices: Prices): number {
  return quality === '4k' ? prices.factor4k : 1;
}
