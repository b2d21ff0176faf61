import type { Quote } from '../../api/ai-tasks.ts';
import { partName, type Workflow } from '../../workflows/workflows.ts';
import type { Files } from './build-form.ts';

type Warning = Quote['warnings'][number];

/**
 * What is to be expected of a swap by its quote's warnings. `fails`: the worker sees the pictures as the quote did, so it would
 * fail for sure. `weak`: that may be, nobody knows before it is tried.
 */
export type Outlook = 'good' | 'weak' | 'fails';

const WEAK = new Set(['SMALL_FACE', 'PROFILE_FACE', 'OCCLUDED_FACE']);
const MAPPING = new Set(['FACE_NOT_FOUND', 'FACE_BOX_MISMATCH', 'FACE_BOX_CONFLICT']);

export function outlookOf(workflow: Workflow, files: Files, warnings: readonly Warning[]): Outlook {
  if (warnings.some((warning) => isFatal(workflow, files, warning, warnings))) return 'fails';
  return warnings.some(({ code }) => WEAK.has(code)) ? 'weak' : 'good';
}

/** @param all the warnings of the quote: a batch goes on without its faceless pictures as long as there are others. */
export function isFatal(
  { slots }: Workflow,
  files: Files,
  { code, field }: Warning,
  all: readonly Warning[],
): boolean {
  if (code !== 'NO_FACE') return MAPPING.has(code);
  const faceless = new Set(all.filter((each) => each.code === 'NO_FACE').map((each) => each.field));
  const names = slots
    .map((slot) => (files[slot.field] ?? []).map((_, index) => partName(slot, index)))
    .find((each) => each.includes(field));
  return names === undefined || names.every((name) => faceless.has(name));
}
