import { VIDEO_FORM, VIDEO_QUALITIES, type VideoQuality } from '@guise/contract/ai-tasks/forms.ts';
import { mappedPersons } from './persons.ts';
import { additionalSources, restoreOptions, wantedPart, type Workflow } from './workflow.ts';

/** The workflow of a video (docs/spec/ai-tasks#video). */
export const video: Workflow = {
  type: 'VIDEO_SWAP',
  lane: 'long',
  form: VIDEO_FORM,
  plan(form) {
    const quality = form.choices.quality as VideoQuality;
    const target = form.inputs.targetVideo!;
    const part = wantedPart(form, target);
    const mappings = mappedPersons(form, target, part);
    const common = {
      target,
      ...(part === null ? {} : { part }),
      restore: restoreOptions(form),
      size: { maxShortSide: VIDEO_QUALITIES[quality] },
    };
    return {
      quality,
      work:
        mappings === null
          ? {
              kind: 'swap-video',
              source: form.inputs.sourceImage!,
              ...additionalSources(form),
              ...common,
            }
          : { kind: 'swap-persons', as: 'video', mappings, ...common },
    };
  },
};
