import { PHOTO_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { restoreOptions, workflow } from './workflow.ts';

/** The workflow of a photo (docs/spec/ai-tasks#photo). */
export const photo = workflow({
  type: 'IMAGE_SWAP',
  lane: 'short',
  form: PHOTO_FORM,
  plan: (form) => ({
    work: {
      kind: 'swap-image',
      source: form.inputs.sourceImage,
      additionalSources: form.lists.additionalSourceImages,
      target: form.inputs.targetImage,
      restore: restoreOptions(form),
      label: form.switches.label,
    },
  }),
});
