import type { ImageResult } from '@guise/contract/v1/schemas.ts';
import type { V1StillFormat } from '@guise/contract/v1/values.ts';
import type { FileLinks } from '../../storage/file-links.ts';
import type { Task } from '../../tasks/task.ts';
import { toJobId } from './job-id.ts';
import { parametersOf } from './job-parameters.ts';
import { linkTo, processingMs, resolutionOf } from './present-job.ts';

/** Presents a COMPLETED task as an image result (docs/spec/v1#image-result). */
export function presentImage(task: Task, links: FileLinks): ImageResult {
  const output = task.result!.outputs[0]!;
  return {
    success: true,
    job_id: toJobId(task.id),
    output_url: linkTo(output, links),
    output_format: parametersOf(task).output_format as V1StillFormat,
    resolution: resolutionOf(output),
    processing_time: processingMs(task),
    faces_detected: task.result!.receipt!.facesFound,
    credits_used: task.costCredits,
  };
}
