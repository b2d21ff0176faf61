import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** SHA-256 of each network that guise itself trained. `training/` describes the training. */
const TRAINED_NETWORKS = {
  'in-front': 'c32ba48d36b143fe1f819391576b14d1ac9a49c8afa17c70b908a92a67032c70',
  mend: '3812f5ab9590ab44397322ed7007547502aef72203aaa581e09492d55a11c013',
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
