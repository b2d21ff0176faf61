import { BATCH_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { invalidField } from '@guise/contract/errors.ts';
import type { TakenForm } from '../../intake/take-form.ts';
import type { SwapBatchOrder } from '../../tasks/task.ts';
import { restoreOptions, workflow } from './workflow.ts';

/** The workflow of a batch (docs/spec/ai-tasks#batch-photo). */
export const batch = workflow({
  type: 'BATCH_FACE_SWAP',
  lane: 'long',
  form: BATCH_FORM,
  plan: (form) => ({
    work: {
      kind: 'swap-batch',
      items: pairs(form),
      restore: restoreOptions(form),
      label: form.switches.label,
    },
  }),
});

/** Pairs each image with the one single image; checks rules 1 and 2 of the workflow. */
function pairs({ choices, lists }: TakenForm<typeof BATCH_FORM>): SwapBatchOrder['items'] {
  const { sourceImages: sources, targetImages: targets } = lists;
  const single = choices.mode === 'singleToMulti' ? 'sourceImages' : 'targetImages';
  if (lists[single].length !== 1) {
    throw invalidField(single, `must hold exactly one image where mode is ${choices.mode}.`, { limit: 1 });
  }
  return single === 'sourceImages'
    ? targets.map((target) => ({ source: sources[0]!, target }))
    : sources.map((source) => ({ source, target: targets[0]! }));
}
