import { partOfClip } from '@guise/contract/clip-part.ts';
import type { FormDeclaration } from '@guise/contract/ai-tasks/form.ts';
import type { VideoQuality } from '@guise/contract/ai-tasks/forms.ts';
import type { Warning } from '@guise/contract/ai-tasks/schemas.ts';
import type { Lane, TaskType } from '@guise/contract/task.ts';
import { invalidField } from '@guise/contract/errors.ts';
import { sourceOf } from '../../intake/take-faces.ts';
import type { TakenForm } from '../../intake/take-form.ts';
import type { ClipPart, RestoreOptions } from '@guise/contract/work.ts';
import type { DetectedImage, SourcePhotos, StoredInput, WorkSpec } from '../../tasks/task.ts';

/**
 * The parts of a workflow that differ from other workflows of `/api/ai-tasks`. The routes are the
 * same.
 */
export interface Workflow<Form extends FormDeclaration = FormDeclaration> {
  readonly type: TaskType;
  readonly lane: Lane;
  readonly form: Form;
  /** Name of the price in answers. Default: `requiredCredits`. */
  readonly creditsName?: CreditsName;
  /**
   * Plans the work of a form whose fields are all valid by themselves.
   * @throws AppError if the fields together break a rule.
   */
  plan(form: TakenForm<Form>): WorkPlan;
}

export type CreditsName = 'requiredCredits' | 'estimatedCredits';

export interface WorkPlan {
  readonly work: WorkSpec;
  /** Quality that the answer shows. */
  readonly quality?: VideoQuality;
  /**
   * Makes the warnings of a quote from all images together. If absent, each image is checked by
   * itself.
   */
  readonly warnings?: (images: readonly DetectedImage[]) => Warning[];
}

/** Declares a workflow. The type of `plan` follows from the form. */
export function workflow<Form extends FormDeclaration>(declared: Workflow<Form>): Workflow {
  return declared;
}

export function restoreOptions({ numbers }: { readonly numbers: RestoreOptions }): RestoreOptions {
  const { faceRestoreVisibility, restoreVisibility } = numbers;
  return { faceRestoreVisibility, restoreVisibility };
}

/**
 * Returns the photos of the person whose face a form sends: those of `sourceFaceId`, or the
 * uploaded ones.
 * @throws AppError INVALID_REQUEST unless it is one of them
 */
export function onePerson(
  { savedFaces }: Pick<TakenForm, 'savedFaces'>,
  source: StoredInput | undefined,
  additionalSources?: readonly StoredInput[],
): SourcePhotos {
  const face = savedFaces.get('sourceFaceId');
  if (face === undefined) {
    if (source === undefined) throw invalidField('sourceImage', 'is missing.');
    return { source, additionalSources };
  }
  const other = source ?? additionalSources?.[0];
  if (other !== undefined)
    throw invalidField('sourceFaceId', `was sent beside ${other.field}: send one of them.`);
  return sourceOf(face);
}

/** Returns the part of the clip that a form requests; undefined for the whole clip. */
export function wantedPart(
  { numbers }: { readonly numbers: { readonly [Each in 'startSeconds' | 'endSeconds']: number | undefined } },
  clip: StoredInput,
): ClipPart | undefined {
  const { startSeconds, endSeconds } = numbers;
  const names = { start: 'startSeconds', end: 'endSeconds', clip: clip.field };
  return partOfClip({ start: startSeconds, end: endSeconds }, clip.durationSeconds ?? 0, names);
}
