import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The version of the code that made a folder of outputs. */
export interface Revision {
  readonly engineVersion: string;
  /** Commit of the checkout, with `-dirty` if files differ from it. */
  readonly commit: string;
}

export interface Output {
  readonly pair: string;
  /** Name of the file in the folder; null if the engine refused the pair. */
  readonly file: string | null;
  readonly failure?: string;
  readonly wallMs: number;
}

/** The outputs of one checkout for all pairs: `outputs.json` in a folder of pictures and clips. */
export interface Outputs {
  readonly revision: Revision;
  readonly pairsSha256: string;
  readonly outputs: readonly Output[];
}

/** Name of the file with this list in a folder of outputs. */
const OUTPUTS_FILE = 'outputs.json';

export async function readOutputs(dir: string): Promise<Outputs> {
  return JSON.parse(await readFile(path.join(dir, OUTPUTS_FILE), 'utf8')) as Outputs;
}

export async function writeOutputs(dir: string, outputs: Outputs): Promise<void> {
  await writeFile(path.join(dir, OUTPUTS_FILE), `${JSON.stringify(outputs, null, 1)}\n`);
}
