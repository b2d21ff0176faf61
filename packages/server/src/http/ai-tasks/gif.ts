import { GIF_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { partOption, restoreOptions, type Workflow } from './workflow.ts';

/** The workflow of a GIF (docs/spec/ai-tasks#gif). */
export const gif: Workflow = {
  type: 'GIF_FACE_SWAP',
  lane: 'long',
  form: GIF_FORM,
  creditsName: 'estimatedCredits',
  plan: (form) => ({
    work: {
      kind: 'swap-gif',
      source: form.inputs.sourceImage!,
      target: form.inputs.targetGif!,
      ...partOption(form, form.inputs.targetGif!),
      restore: restoreOptions(form),
    },
  }),
};
