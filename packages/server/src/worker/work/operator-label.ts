import type { LabelMode } from '@guise/contract/work.ts';
import type { Receipt, WorkSpec } from '../../tasks/task.ts';

/** Returns work with the visible label, if the operator has it put on all results. */
export function withOperatorLabel(work: WorkSpec, mode: LabelMode): WorkSpec {
  return mode === 'always' && 'restore' in work ? { ...work, label: true } : work;
}

/** Returns what a receipt says about the visible label. */
export function receiptOfLabel({ label }: { readonly label?: boolean }): Pick<Receipt, 'label'> {
  return label === true ? { label } : {};
}
