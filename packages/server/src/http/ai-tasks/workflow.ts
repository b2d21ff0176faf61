import { partOfClip } from '@guise/contract/clip-part.ts';
import type { FormDeclaration } from '@guise/contract/ai-tasks/form.ts';
import type { VideoQuality } from '@guise/contract/ai-tasks/forms.ts';
import type { Warning } from '@guise/contract/ai-tasks/schemas.ts';
import type { Lane, TaskType } from '@guise/contract/task.ts';
import type { TakenForm } from '../../intake/take-form.ts';
import type { ClipPart, RestoreOptions } from '@guise/contract/work.ts';
import type { DetectedImage, StoredInput, WorkSpec } from '../../tasks/task.ts';

/**
 * Parts of a workflow of `/api/ai-tasks` that differ from others; the routes are the same for all.
 */
export interface Workflow<Form extends FormDeclaration = FormDeclaration> {
  readonly type: TaskType;
  readonly lane: Lane;
  readonly form: Form;
  /** Name of the price in answers; by default `requiredCredits`. */
  readonly creditsName?: CreditsName;
  /**
   * Plans the work of a form whose fields are each valid.
   * @throws AppError if together they break a rule.
   */
  plan(form: TakenForm<Form>): WorkPlan;
}

export type CreditsName = 'requiredCredits' | 'estimatedCredits';

export interface WorkPlan {
  readonly work: WorkSpec;
  /** Shown in the answer. */
  readonly quality?: VideoQuality;
  /** Makes the warnings of a quote from the faces of all images; absent: one image at a time. */
  readonly warnings?: (images: readonly DetectedImage[]) => Warning[];
}

/** Declares a workflow, whose plan knows what its form holds. */
export function workflow<Form extends FormDeclaration>(declared: Workflow<Form>): Workflow {
  return declared;
}

export function restoreOptions({ numbers }: { readonly numbers: RestoreOptions }): RestoreOptions {
  const { faceRestoreVisibility, restoreVisibility } = numbers;
  return { faceRestoreVisibility, restoreVisibility };
}

/** Returns the part of the clip that a form asks for; undefined if it asks for all of it. */
export function wantedPart(
  { numbers }: { readonly numbers: { readonly [Each in 'startSeconds' | 'endSeconds']: number | undefined } },
  clip: StoredInput,
): ClipPart | undefined {
  const { startSeconds, endSeconds } = numbers;
  const names = { start: 'startSeconds', end: 'endSeconds', clip: clip.field };
  return partOfClip({ start: startSeconds, end: endSeconds }, clip.durationSeconds ?? 0, names);
}
