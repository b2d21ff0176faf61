import { open, readFile } from 'node:fs/promises';
import { packageFile } from './package-files.ts';

/**
 * Reads one file from @mediapipe/face_mesh's packed assets. The package's loader script lists the
 * byte range of each file in the .data file.
 * @param fileName last part of the file's path
 */
export async function readMediapipeAsset(fileName: string): Promise<Buffer> {
  const loader = await readFile(
    packageFile('@mediapipe/face_mesh', 'face_mesh_solution_packed_assets_loader.js'),
    'utf8',
  );
  const listing = /loadPackage\((\{"files".*?\})\);/.exec(loader)?.[1];
  if (!listing) throw new Error('The asset list of @mediapipe/face_mesh was not found');
  const { files } = JSON.parse(listing) as { files: { filename: string; start: number; end: number }[] };
  const entry = files.find(({ filename }) => filename.endsWith(`/${fileName}`));
  if (!entry) throw new Error(`@mediapipe/face_mesh holds no ${fileName}`);
  const packed = await open(packageFile('@mediapipe/face_mesh', 'face_mesh_solution_packed_assets.data'));
  try {
    const bytes = Buffer.alloc(entry.end - entry.start);
    await packed.read(bytes, 0, bytes.length, entry.start);
    return bytes;
  } finally {
    await packed.close();
  }
}
