import { GROUP_FORM } from '@guise/contract/ai-tasks/forms.ts';
import type { FaceBoxBody } from '@guise/contract/ai-tasks/schemas.ts';
import { type AppError, fieldError } from '@guise/contract/errors.ts';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import type { TakenForm } from '../../intake/take-form.ts';
import type { MappedBox } from '@guise/contract/work.ts';
import type { StoredInput, SwapGroupOrder } from '../../tasks/task.ts';
import { groupWarnings } from './group-warnings.ts';
import { restoreOptions, type Workflow } from './workflow.ts';

/** The workflow of a group photo (docs/spec/ai-tasks#group-photo). */
export const group: Workflow = {
  type: 'MULTI_FACE_SWAP',
  lane: 'short',
  form: GROUP_FORM,
  plan(form) {
    const work: SwapGroupOrder = {
      kind: 'swap-group',
      target: form.inputs.sourceImage!,
      replacements: replacementsOf(form),
      restore: restoreOptions(form),
    };
    return { work, warnings: (images) => groupWarnings(work, images) };
  },
};

/** Rules 1 and 2: numbered without a gap, exactly one box each. */
function replacementsOf({ inputs, boxes }: TakenForm): SwapGroupOrder['replacements'] {
  const replacements = [];
  for (let n = 0; n < AI_TASKS_LIMITS.groupFaces; n++) {
    const [source, box] = [inputs[`targetFace${n}`], boxes[`faceBox${n}`]];
    if (source === undefined && box === undefined) continue;
    if (source === undefined) throw invalid(`faceBox${n}`, `was sent without targetFace${n}.`);
    if (box === undefined) throw invalid(`faceBox${n}`, `is missing: targetFace${n} needs it.`);
    if (replacements.length < n) {
      throw invalid(`targetFace${n}`, `was sent without targetFace${replacements.length}.`);
    }
    replacements.push({ source, box: inPixels(`faceBox${n}`, box, inputs.sourceImage!) });
  }
  return replacements;
}

/** Tolerance for the rounding of fractions that add up to 1. */
const ROUNDING = 1e-9;

/** Converts a box to pixels and checks that it lies in the photo (docs/decisions/0009#facebox). */
function inPixels(name: string, sent: FaceBoxBody, photo: StoredInput): MappedBox {
  const isFraction = Math.max(sent.x, sent.y, sent.width, sent.height) <= 1;
  const [right, bottom] = isFraction ? [1, 1] : [photo.width, photo.height];
  if (
    sent.x < 0 ||
    sent.y < 0 ||
    sent.x + sent.width > right * (1 + ROUNDING) ||
    sent.y + sent.height > bottom * (1 + ROUNDING)
  ) {
    throw invalid(name, `must lie within sourceImage, which is ${photo.width} x ${photo.height} pixels.`);
  }
  const [scaleX, scaleY] = isFraction ? [photo.width, photo.height] : [1, 1];
  return {
    name,
    x: sent.x * scaleX,
    y: sent.y * scaleY,
    width: sent.width * scaleX,
    height: sent.height * scaleY,
    ...(sent.faceIndex === undefined ? {} : { faceIndex: sent.faceIndex }),
  };
}

function invalid(field: string, rest: string): AppError {
  return fieldError('INVALID_REQUEST', field, rest);
}
