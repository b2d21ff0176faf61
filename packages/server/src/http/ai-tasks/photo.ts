import { PHOTO_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { onePerson, restoreOptions, workflow } from './workflow.ts';

/** The workflow of a photo (docs/spec/ai-tasks#photo). */
export const photo = workflow({
  type: 'IMAGE_SWAP',
  lane: 'short',
  form: PHOTO_FORM,
  plan: (form) => ({
    work: {
      kind: 'swap-image',
      ...onePerson(form, form.inputs.sourceImage, form.lists.additionalSourceImages),
      target: form.inputs.targetImage,
      restore: restoreOptions(form),
      label: form.switches.label,
    },
  }),
});
