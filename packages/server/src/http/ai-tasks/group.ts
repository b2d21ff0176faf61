import { GROUP_FORM } from '@guise/contract/ai-tasks/forms.ts';
import type { TakenForm } from '../../intake/take-form.ts';
import type { SwapGroupOrder } from '../../tasks/task.ts';
import { groupWarnings } from './group-warnings.ts';
import { toFractions } from '../../intake/to-fractions.ts';
import { numberedPairs } from './numbered-pairs.ts';
import { restoreOptions, workflow } from './workflow.ts';

/** The workflow of a group photo (docs/spec/ai-tasks#group-photo). */
export const group = workflow({
  type: 'MULTI_FACE_SWAP',
  lane: 'short',
  form: GROUP_FORM,
  plan(form) {
    const work: SwapGroupOrder = {
      kind: 'swap-group',
      target: form.inputs.sourceImage,
      replacements: replacementsOf(form),
      restore: restoreOptions(form),
      label: form.switches.label,
    };
    return { work, warnings: (images) => groupWarnings(work, images) };
  },
});

/**
 * Returns the replacements with boxes in pixels (docs/spec/details#facebox); checks rules 1 and 2
 * of the workflow.
 */
function replacementsOf(form: TakenForm<typeof GROUP_FORM>): SwapGroupOrder['replacements'] {
  const photo = form.inputs.sourceImage;
  return numberedPairs(form, form.boxes).map(({ person, name, box }) => {
    const { x, y, width, height } = toFractions(name, box, photo);
    return {
      source: person.source,
      additionalSources: person.additionalSources,
      box: {
        name,
        x: x * photo.width,
        y: y * photo.height,
        width: width * photo.width,
        height: height * photo.height,
        faceIndex: box.faceIndex,
      },
    };
  });
}
