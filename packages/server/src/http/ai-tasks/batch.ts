import { BATCH_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { invalidField } from '@guise/contract/errors.ts';
import type { TakenForm } from '../../intake/take-form.ts';
import type { SwapBatchOrder } from '../../tasks/task.ts';
import { onePerson, restoreOptions, workflow } from './workflow.ts';

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
function pairs(form: TakenForm<typeof BATCH_FORM>): SwapBatchOrder['items'] {
  const { mode } = form.choices;
  const { sourceImages: sources = [], targetImages: targets } = form.lists;
  const isOneToMany = mode === 'singleToMulti';
  const hasSavedFace = form.savedFaces.has('sourceFaceId');
  if (hasSavedFace && !isOneToMany)
    throw invalidField('sourceFaceId', 'goes with the mode singleToMulti only.');
  const single = isOneToMany ? 'sourceImages' : 'targetImages';
  if ((isOneToMany ? sources : targets).length !== 1 && !hasSavedFace) {
    throw invalidField(single, `must hold exactly one image where mode is ${mode}.`, { limit: 1 });
  }
  if (!isOneToMany) return sources.map((source) => ({ source, target: targets[0]! }));
  const { source, additionalSources } = onePerson(form, sources[0]);
  return targets.map((target) => ({ source, additionalSources, target }));
}
