import { GIF_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { clipFaces } from './clip-faces.ts';
import { restoreOptions, wantedPart, workflow } from './workflow.ts';

/** The workflow of a GIF (docs/spec/ai-tasks#gif). */
export const gif = workflow({
  type: 'GIF_FACE_SWAP',
  lane: 'long',
  form: GIF_FORM,
  creditsName: 'estimatedCredits',
  plan(form) {
    const target = form.inputs.targetGif;
    const part = wantedPart(form, target);
    const faces = clipFaces(form, target, part);
    const common = { target, part, restore: restoreOptions(form), label: form.switches.label };
    return {
      work:
        'source' in faces
          ? { kind: 'swap-gif', ...faces, ...common }
          : { kind: 'swap-persons', as: 'gif', ...faces, ...common },
    };
  },
});
