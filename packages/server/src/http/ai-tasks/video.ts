import { VIDEO_FORM, VIDEO_QUALITIES, type VideoQuality } from '@guise/contract/ai-tasks/forms.ts';
import { creditsByTheSecond, restoreOptions, type Workflow } from './workflow.ts';

/** Spec: Video. */
export const video: Workflow = {
  type: 'VIDEO_SWAP',
  lane: 'long',
  form: VIDEO_FORM,
  plan(form, prices) {
    const target = form.inputs.targetVideo!;
    const quality = form.choices.quality as VideoQuality;
    return {
      credits: creditsByTheSecond(target, { second: prices.videoSecond, minimum: prices.videoMinimum }),
      quality,
      work: {
        kind: 'swap-video',
        source: form.inputs.sourceImage!,
        target,
        restore: restoreOptions(form),
        size: { maxShortSide: VIDEO_QUALITIES[quality] },
      },
    };
  },
};
