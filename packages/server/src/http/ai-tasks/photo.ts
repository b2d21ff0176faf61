import { PHOTO_FORM } from '@guise/contract/ai-tasks/forms.ts';
import type { Workflow } from './workflow.ts';

/** Spec: Photo. */
export const photo: Workflow = {
  type: 'IMAGE_SWAP',
  lane: 'short',
  form: PHOTO_FORM,
  price: (_form, prices) => prices.photo,
  work: ({ inputs, numbers }) => ({
    kind: 'swap-image',
    source: inputs.sourceImage!,
    target: inputs.targetImage!,
    restore: {
      faceRestoreVisibility: numbers.faceRestoreVisibility!,
      restoreVisibility: numbers.restoreVisibility!,
    },
  }),
};
