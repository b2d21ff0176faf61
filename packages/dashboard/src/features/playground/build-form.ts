import type { BATCH_MODES } from '@guise/contract/ai-tasks/forms.ts';
import { uploadSlots, type Workflow } from '../../workflows/workflows.ts';
import type { Files, Mapping } from './swap-inputs.ts';

type BatchMode = (typeof BATCH_MODES)[number];

/** Returns a text about what is still missing in the form; null if nothing is missing. */
export function missingOf(
  { kind, slots }: Workflow,
  files: Files,
  mappings: readonly Mapping[],
): string | null {
  if (slots.some(({ field }) => !files[field]?.length)) return 'Choose the files';
  if (kind === 'group' && mappings.length === 0) return 'Choose a replacement for a face';
  const isManyToMany = slots.every(({ field }) => files[field]!.length > 1);
  return isManyToMany ? 'Choose one face for many photos, or one photo for many faces' : null;
}

/** Makes the workflow's multipart form; null if something is missing. */
export function buildForm(
  workflow: Workflow,
  files: Files,
  mappings: readonly Mapping[],
  options: Readonly<Record<string, string>>,
): FormData | null {
  if (missingOf(workflow, files, mappings) !== null) return null;
  const form = new FormData();
  if (workflow.kind === 'batch') {
    const mode: BatchMode = files.sourceImages!.length > 1 ? 'multiToSingle' : 'singleToMulti';
    form.set('mode', mode);
  }
  if (workflow.kind === 'group') {
    for (const [index, { face, file }] of mappings.entries()) {
      const { faceIndex, x, y, width, height } = face;
      form.set(`targetFace${index}`, file);
      form.set(`faceBox${index}`, JSON.stringify({ faceIndex, x, y, width, height }));
    }
  }
  for (const { field } of uploadSlots(workflow)) {
    for (const file of files[field] ?? []) form.append(field, file);
  }
  for (const [name, value] of Object.entries(options)) form.set(name, value);
  return form;
}
