import type { ModelFiles } from './ensure-models.ts';
import { Model } from './model.ts';
import { ModelThread } from './model-thread.ts';

/** The opened networks of one engine. `recipes/` says what each takes and gives. */
export interface Sessions {
  readonly blazeface: Model;
  readonly faceLandmarks: Model;
  readonly iris: Model;
  readonly faceRecognition: Model;
  /** Only measurements need it, so it is opened on first use. */
  faceres(): Promise<Model>;
  /** `faceLandmarks` once more, on a thread of its own that whoever called closes. */
  openLandmarksThread(side: number): ModelThread;
  close(): Promise<void>;
}

/** Opens the networks: about 0.2 s. Rejects with onnxruntime's error if a file cannot be loaded. */
export async function openSessions(files: ModelFiles): Promise<Sessions> {
  const [blazeface, faceLandmarks, iris, faceRecognition] = await Promise.all([
    Model.open(files.blazeface),
    Model.open(files['face-landmarks']),
    Model.open(files.iris),
    Model.open(files['face-recognition']),
  ]);
  let faceres: Promise<Model> | null = null;
  return {
    blazeface,
    faceLandmarks,
    iris,
    faceRecognition,
    faceres: () => (faceres ??= Model.open(files.faceres)),
    openLandmarksThread: (side) => new ModelThread(files['face-landmarks'], side),
    close: async () => {
      const opened = [blazeface, faceLandmarks, iris, faceRecognition];
      if (faceres) opened.push(await faceres);
      await Promise.all(opened.map((model) => model.close()));
    },
  };
}
