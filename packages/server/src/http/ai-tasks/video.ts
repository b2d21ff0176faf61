import { VIDEO_FORM, VIDEO_QUALITIES, type VideoQuality } from '@guise/contract/ai-tasks/forms.ts';
import { additionalSources, partOption, restoreOptions, type Workflow } from './workflow.ts';

/** The workflow of a video (docs/spec/ai-tasks#video). */
export const video: Workflow = {
  type: 'VIDEO_SWAP',
  lane: 'long',
  form: VIDEO_FORM,
  plan(form) {
    const quality = form.choices.quality as VideoQuality;
    return {
      quality,
      work: {
        kind: 'swap-video',
        source: form.inputs.sourceImage!,
        ...additionalSources(form),
        target: form.inputs.targetVideo!,
        ...partOption(form, form.inputs.targetVideo!),
        restore: restoreOptions(form),
        size: { maxShortSide: VIDEO_QUALITIES[quality] },
      },
    };
  },
};
