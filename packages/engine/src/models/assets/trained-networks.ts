import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** SHA-256 of each network that guise itself trained. `training/` describes the training. */
const TRAINED_NETWORKS = {
  'in-front': '2ffcbac8c2f26c5dfa01f50f7b6db81a84667b9fee363e6582e72e6facf1662b',
  mend: 'c3db9d2ddf4359d08861917f9f2382b2aac59df75c71f59382f4d4a28dca1b3d',
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
