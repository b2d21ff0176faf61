import { partOfClip } from '@guise/contract/clip-part.ts';
import type { FormDeclaration } from '@guise/contract/ai-tasks/form.ts';
import type { VideoQuality } from '@guise/contract/ai-tasks/forms.ts';
import type { Warning } from '@guise/contract/ai-tasks/schemas.ts';
import type { Lane, TaskType } from '@guise/contract/task.ts';
import type { TakenForm } from '../../intake/take-form.ts';
import type { ClipPart, RestoreOptions } from '@guise/contract/work.ts';
import type { DetectedImage, StoredInput, SwapImageOrder, WorkSpec } from '../../tasks/task.ts';

/**
 * Parts of a workflow of `/api/ai-tasks` that differ from others; the routes are the same for all.
 */
export interface Workflow {
  readonly type: TaskType;
  readonly lane: Lane;
  readonly form: FormDeclaration;
  /** Name of the price in answers; by default `requiredCredits`. */
  readonly creditsName?: CreditsName;
  /**
   * Plans the work of a form whose fields are each valid.
   * @throws AppError if together they break a rule.
   */
  plan(form: TakenForm): WorkPlan;
}

export type CreditsName = 'requiredCredits' | 'estimatedCredits';

export interface WorkPlan {
  readonly work: WorkSpec;
  /** Shown in the answer. */
  readonly quality?: VideoQuality;
  /** Makes the warnings of a quote from the faces of all images; absent: one image at a time. */
  readonly warnings?: (images: readonly DetectedImage[]) => Warning[];
}

export function restoreOptions({ numbers }: TakenForm): RestoreOptions {
  return {
    faceRestoreVisibility: numbers.faceRestoreVisibility!,
    restoreVisibility: numbers.restoreVisibility!,
  };
}

/** Returns the part of the clip that a form wants; null if it wants all of it. */
export function wantedPart({ numbers }: TakenForm, clip: StoredInput): ClipPart | null {
  const { startSeconds, endSeconds } = numbers;
  const names = { start: 'startSeconds', end: 'endSeconds', clip: clip.field };
  return partOfClip({ start: startSeconds, end: endSeconds }, clip.durationSeconds ?? 0, names);
}

/** Returns the additional sources of a form; nothing if none were sent. */
export function additionalSources({ lists }: TakenForm): Pick<SwapImageOrder, 'additionalSources'> {
  const { additionalSourceImages } = lists;
  return additionalSourceImages === undefined ? {} : { additionalSources: additionalSourceImages };
}
