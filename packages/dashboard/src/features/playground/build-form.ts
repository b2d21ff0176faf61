import { MORE, type Workflow } from '../../workflows/workflows.ts';
import type { Files, Mapping } from './swap-inputs.ts';

/** What the person has to do before there is a request; null: nothing. */
export function missingOf(
  { path, slots }: Workflow,
  files: Files,
  mappings: readonly Mapping[],
): string | null {
  if (slots.some(({ field }) => !files[field]?.length)) return 'Choose the files';
  if (path.endsWith('/multi-face-swap') && mappings.length === 0) return 'Choose a replacement for a face';
  const isManyToMany = slots.every(({ field }) => files[field]!.length > 1);
  return isManyToMany ? 'Choose one face for many photos, or one photo for many faces' : null;
}

/** The workflow's multipart form, or null while something is missing. */
export function buildForm(
  workflow: Workflow,
  files: Files,
  mappings: readonly Mapping[],
  options: Readonly<Record<string, string>>,
): FormData | null {
  if (missingOf(workflow, files, mappings) !== null) return null;
  const form = new FormData();
  if (workflow.path.endsWith('/batch-face-swap')) {
    form.set('mode', files.sourceImages!.length > 1 ? 'multiToSingle' : 'singleToMulti');
  }
  if (workflow.path.endsWith('/multi-face-swap')) {
    for (const [index, { face, file }] of mappings.entries()) {
      const { faceIndex, x, y, width, height } = face;
      form.set(`targetFace${index}`, file);
      form.set(`faceBox${index}`, JSON.stringify({ faceIndex, x, y, width, height }));
    }
  }
  for (const { field } of [...workflow.slots, MORE]) {
    for (const file of files[field] ?? []) form.append(field, file);
  }
  for (const [name, value] of Object.entries(options)) form.set(name, value);
  return form;
}
