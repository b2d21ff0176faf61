import { readFile } from 'node:fs/promises';
import type { ModelFiles } from './ensure-models.ts';
import { readTrainedNetwork } from './assets/trained-networks.ts';
import { Model } from './model.ts';
import { OpenSizeModel } from './open-size-model.ts';

/** The open networks of one engine. `recipes/` describes their inputs and outputs. */
export interface Sessions {
  readonly blazeface: OpenSizeModel;
  readonly faceLandmarks: Model;
  readonly iris: Model;
  readonly faceRecognition: Model;
  /** Trained by `training/`; see `lookInFront`. */
  readonly inFront: Model;
  /** Trained by `training/`; see `findFaults`. */
  readonly mend: Model;
  /**
   * Opens the network on first use, because few pictures show anything like a hand. Its file is
   * read before, because a working engine has no right to read files.
   */
  handLandmarks(): Promise<Model>;
  /** Opens the network on first use, because only measurements need it. */
  faceres(): Promise<Model>;
  close(): Promise<void>;
}

/**
 * Opens the networks, which takes about 0.2 s. Rejects with onnxruntime's error if a file cannot be
 * loaded.
 */
export async function openSessions(files: ModelFiles): Promise<Sessions> {
  const [blazeface, faceLandmarks, iris, faceRecognition, inFront, mend, handNetwork] = await Promise.all([
    OpenSizeModel.open(files.blazeface),
    Model.open(files['face-landmarks']),
    Model.open(files.iris),
    Model.open(files['face-recognition']),
    readTrainedNetwork('in-front').then((network) => Model.open(network)),
    readTrainedNetwork('mend').then((network) => Model.open(network)),
    readFile(files['hand-landmarks']),
  ]);
  let faceres: Promise<Model> | null = null;
  let handLandmarks: Promise<Model> | null = null;
  return {
    blazeface,
    faceLandmarks,
    iris,
    faceRecognition,
    inFront,
    mend,
    handLandmarks: () => (handLandmarks ??= Model.open(handNetwork)),
    faceres: () => (faceres ??= Model.open(files.faceres)),
    close: async () => {
      const opened = [blazeface, faceLandmarks, iris, faceRecognition, inFront, mend];
      for (const late of [handLandmarks, faceres]) if (late) opened.push(await late);
      await Promise.all(opened.map((model) => model.close()));
    },
  };
}
