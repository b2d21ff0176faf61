import { VIDEO_FORM, VIDEO_QUALITIES } from '@guise/contract/ai-tasks/forms.ts';
import { clipFaces } from './clip-faces.ts';
import { restoreOptions, wantedPart, workflow } from './workflow.ts';

/** The workflow of a video (docs/spec/ai-tasks#video). */
export const video = workflow({
  type: 'VIDEO_SWAP',
  lane: 'long',
  form: VIDEO_FORM,
  plan(form) {
    const { quality } = form.choices;
    const target = form.inputs.targetVideo;
    const part = wantedPart(form, target);
    const faces = clipFaces(form, target, part);
    const common = {
      target,
      part,
      restore: restoreOptions(form),
      label: form.switches.label,
      size: { maxShortSide: VIDEO_QUALITIES[quality] },
    };
    return {
      quality,
      work:
        'source' in faces
          ? { kind: 'swap-video', ...faces, ...common }
          : { kind: 'swap-persons', as: 'video', ...faces, ...common },
    };
  },
});
