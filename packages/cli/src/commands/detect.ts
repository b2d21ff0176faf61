import path from 'node:path';
import { warnOfDetected } from '@guise/contract/warnings.ts';
import { presentFaces } from '@guise/server/present/present-faces.ts';
import { containerOf } from '../setup/container-of.ts';
import { findPersons, listPersons } from './detect-persons.ts';
import { requireReadable } from '../setup/output-file.ts';
import { MAX_PIXELS, withEngine } from '../setup/with-engine.ts';
import { withWorkspace } from '../setup/workspace.ts';

export async function detect(image: string, options: { readonly json?: true }): Promise<void> {
  await requireReadable(image);
  const container = await containerOf(image);
  if (container !== null) {
    const found = await findPersons(image);
    // A GIF with a single picture is treated as a photo.
    if (container !== 'gif' || found.framesLooked > 1) return listPersons(found, options);
  }
  const found = await withWorkspace(null, (workspace) =>
    withEngine(workspace, (engine) =>
      engine.run({
        kind: 'detect-faces',
        images: [{ name: 'image', path: path.resolve(image) }],
        maxPixels: MAX_PIXELS,
      }),
    ),
  );
  const [first] = found.images;
  if (first === undefined) throw new Error('The engine gave no answer.');
  const { width, height } = first;
  const faces = presentFaces(first);
  const warnings = warnOfDetected(first.faces);
  if (options.json) {
    process.stdout.write(
      `${JSON.stringify({ width, height, faces, ...(warnings.length === 0 ? {} : { warnings }) }, null, 2)}\n`,
    );
    return;
  }
  process.stdout.write(
    `${width} x ${height}, ${faces.length === 0 ? 'no face' : faces.length === 1 ? '1 face' : `${faces.length} faces`}\n`,
  );
  for (const face of faces) {
    const [x, y, w, h] = [face.x, face.y, face.width, face.height].map(Math.round);
    const [yaw, pitch, roll] = [face.yaw, face.pitch, face.roll].map(Math.round);
    process.stdout.write(
      `  face ${face.faceIndex}: ${w} x ${h} at (${x}, ${y}), score ${face.score.toFixed(2)}, ` +
        `yaw ${yaw}, pitch ${pitch}, roll ${roll} degrees\n`,
    );
    for (const { role, message } of warnings.filter(({ faceIndex }) => faceIndex === face.faceIndex))
      process.stdout.write(`    as a ${role}: ${message}\n`);
  }
}
