import { GIF_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { mappedPersons } from './persons.ts';
import { restoreOptions, wantedPart, type Workflow } from './workflow.ts';

/** The workflow of a GIF (docs/spec/ai-tasks#gif). */
export const gif: Workflow = {
  type: 'GIF_FACE_SWAP',
  lane: 'long',
  form: GIF_FORM,
  creditsName: 'estimatedCredits',
  plan(form) {
    const target = form.inputs.targetGif!;
    const part = wantedPart(form, target);
    const mappings = mappedPersons(form, target, part);
    const common = { target, ...(part === null ? {} : { part }), restore: restoreOptions(form) };
    return {
      work:
        mappings === null
          ? { kind: 'swap-gif', source: form.inputs.sourceImage!, ...common }
          : { kind: 'swap-persons', as: 'gif', mappings, size: {}, ...common },
    };
  },
};
