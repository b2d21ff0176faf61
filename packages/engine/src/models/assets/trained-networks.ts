import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** SHA-256 of each network that guise itself trained. `training/` describes the training. */
const TRAINED_NETWORKS = {
  'in-front': 'cd6700b46a4ad2f2fec7f584b784e5d5a47d3783452d5833be0d8a855ebce694',
} as const;

/** Folder of the package's own networks. */
const ASSETS = path.join(import.meta.dirname, '../../../assets');

/**
 * Reads one of the package's own networks.
 * @throws Error if the file is missing or differs from the trained one
 */
export async function readTrainedNetwork(name: keyof typeof TRAINED_NETWORKS): Promise<Buffer> {
  const file = path.join(ASSETS, `${name}.onnx`);
  const bytes = await readFile(file);
  if (createHash('sha256').update(bytes).digest('hex') !== TRAINED_NETWORKS[name])
    throw new Error(`${file} is damaged; install guise again`);
  return bytes;
}
