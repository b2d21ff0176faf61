import type { Warning } from '@guise/contract/ai-tasks/schemas.ts';
import { partName } from '../../workflows/slot.ts';
import type { Workflow } from '../../workflows/workflows.ts';
import type { Files } from './swap-inputs.ts';

/**
 * Expected outcome of a swap, according to the warnings of its quote. `fails` is certain, because
 * the worker detects the same faces. `weak` means that a face may give a bad result.
 */
export type Outcome = 'good' | 'weak' | 'fails';

/** Codes of warnings about the mapping of faces in a group photo. */
const MAPPING_CODES = new Set(['FACE_NOT_FOUND', 'FACE_BOX_MISMATCH', 'FACE_BOX_CONFLICT']);

/** Predicts the outcome of a swap from the warnings of its quote. */
export function predictOutcome(workflow: Workflow, files: Files, warnings: readonly Warning[]): Outcome {
  if (warnings.some((warning) => isFatal(workflow, files, warning, warnings))) return 'fails';
  return warnings.some(({ role }) => role !== undefined) ? 'weak' : 'good';
}

/**
 * Returns whether a warning means that the task would fail.
 * @param all all warnings of the quote, because a batch can leave out pictures without a face if it
 * has
 *   others
 */
export function isFatal(
  { slots }: Workflow,
  files: Files,
  { code, field }: Warning,
  all: readonly Warning[],
): boolean {
  if (code !== 'NO_FACE') return MAPPING_CODES.has(code);
  const faceless = new Set(all.filter((each) => each.code === 'NO_FACE').map((each) => each.field));
  const names = slots
    .map((slot) => (files[slot.field] ?? []).map((_, index) => partName(slot, index)))
    .find((each) => each.includes(field));
  return names === undefined || names.every((name) => faceless.has(name));
}
