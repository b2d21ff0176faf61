import type { LabelMode } from '@guise/contract/work.ts';
import type { WorkerSettings } from './worker-options.ts';
import type { Receipt, WorkSpec } from '../../tasks/task.ts';

/** Returns work with the visible label, if the operator has it put on all results. */
export function withOperatorLabel(work: WorkSpec, mode: LabelMode): WorkSpec {
  return mode === 'always' && 'restore' in work ? { ...work, label: true } : work;
}

/** Returns what a receipt says about the visible label and the invisible watermark. */
export function receiptOfMarks(
  { label }: { readonly label?: boolean },
  { watermark }: Pick<WorkerSettings, 'watermark'>,
): Pick<Receipt, 'label' | 'watermark'> {
  return { ...(label === true ? { label } : {}), ...(watermark ? { watermark } : {}) };
}
