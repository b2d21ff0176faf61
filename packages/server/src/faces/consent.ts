import { fieldError } from '@guise/contract/errors.ts';
import type { Plan } from '@guise/contract/plans.ts';
import type { WorkSpec } from '../tasks/task.ts';
import type { SavedFace } from './saved-face.ts';

/**
 * Returns what is kept as the consent of a task: that of the request, or else those of its saved
 * faces.
 * @param sent undefined if the request has none
 * @param faces saved faces of the task, by field
 * @param asked plan of the account, and the plans that the operator asks for consent
 * @throws AppError CONSENT_REQUIRED if somebody's consent is missing
 */
export function consentOf(
  sent: string | undefined,
  faces: ReadonlyMap<string, Pick<SavedFace, 'consent'>>,
  work: WorkSpec,
  asked: { readonly plan: Plan; readonly plans: readonly Plan[] },
): string | undefined {
  if (sent !== undefined) return sent;
  if (asked.plans.includes(asked.plan) && faces.size < personsOf(work)) {
    throw fieldError(
      'CONSENT_REQUIRED',
      'consent',
      'is missing: the operator of this service asks who agreed to the use of the face.',
    );
  }
  if (faces.size === 0) return undefined;
  return [...new Set(Array.from(faces.values(), ({ consent }) => consent))].join('\n');
}

/** Returns how many people's faces a task uses; for a batch of many sources, one. */
function personsOf(work: WorkSpec): number {
  if (work.kind === 'swap-group') return work.replacements.length;
  return work.kind === 'swap-persons' ? work.mappings.length : 1;
}
