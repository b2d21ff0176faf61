import type { CheckFaceOrder, DetectFacesOrder, TaskResult } from '../tasks/task.ts';
import type { TaskRun } from './work/task-run.ts';
import { withInputs } from './work/with-inputs.ts';
import type { SlotOptions } from './work/worker-options.ts';

/** Finds the faces in some images. The API waits for the result. */
export function performDetection(
  { images, withPreviews }: DetectFacesOrder,
  { signal, onProgress }: TaskRun,
  { storage, engine, settings }: SlotOptions,
): Promise<TaskResult> {
  return withInputs(storage, images, async (paths) => {
    const named = images.map(({ field }, index) => ({ name: field, path: paths[index]! }));
    const found = await engine.run(
      {
        kind: 'detect-faces',
        images: named,
        maxPixels: settings.maxPixels,
        withPreviews,
      },
      { signal, onProgress },
    );
    return {
      outputs: [],
      failures: [],
      images: found.images.map(({ name: field, width, height, faces, preview }) => ({
        field,
        width,
        height,
        faces,
        preview,
      })),
    };
  });
}

/**
 * Checks that photos show one person. The API waits for the result. A person for the blocklist may
 * be on it already, by another photo.
 */
export function performFaceCheck(
  { photos, forBlocklist }: CheckFaceOrder,
  { task, signal, onProgress }: TaskRun,
  { storage, engine, settings, blockedFaces }: SlotOptions,
): Promise<TaskResult> {
  return withInputs(storage, photos, async (paths) => {
    const named = photos.map(({ field }, index) => ({ name: field, path: paths[index]! }));
    const { maxPixels } = settings;
    const checked = await engine.run(
      { kind: 'check-face', photos: named, isAlone: forBlocklist, maxPixels },
      { signal, onProgress },
    );
    if (forBlocklist) {
      const sealed = await blockedFaces?.seal(checked.identities[0]!);
      return { outputs: [], failures: [], sealedEmbedding: sealed?.toString('base64') };
    }
    for (const [at, { field }] of photos.entries())
      await blockedFaces?.refuseFaces(task.id, field, checked.identities.slice(at, at + 1));
    return { outputs: [], failures: [], faceThumbnail: checked.thumbnail };
  });
}
