import { PHOTO_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { additionalSources, restoreOptions, type Workflow } from './workflow.ts';

/** The workflow of a photo (docs/spec/ai-tasks#photo). */
export const photo: Workflow = {
  type: 'IMAGE_SWAP',
  lane: 'short',
  form: PHOTO_FORM,
  plan: (form) => ({
    work: {
      kind: 'swap-image',
      source: form.inputs.sourceImage!,
      ...additionalSources(form),
      target: form.inputs.targetImage!,
      restore: restoreOptions(form),
    },
  }),
};
