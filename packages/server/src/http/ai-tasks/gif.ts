import { GIF_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { creditsByTheSecond, restoreOptions, type Workflow } from './workflow.ts';

/** Spec: GIF. */
export const gif: Workflow = {
  type: 'GIF_FACE_SWAP',
  lane: 'long',
  form: GIF_FORM,
  creditsName: 'estimatedCredits',
  plan(form, prices) {
    const target = form.inputs.targetGif!;
    return {
      credits: creditsByTheSecond(target, { second: prices.gifSecond, minimum: prices.gifMinimum }),
      work: {
        kind: 'swap-gif',
        source: form.inputs.sourceImage!,
        target,
        restore: restoreOptions(form),
      },
    };
  },
};
