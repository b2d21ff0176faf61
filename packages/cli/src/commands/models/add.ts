import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { EngineDied } from '@guise/engine-host/parent/engine-died.ts';
import { TaskFailure } from '@guise/contract/errors.ts';
import { readNpyMatrix } from '@guise/engine/networks/npy-matrix.ts';
import { IDENTITY_LENGTH, type ProtocolName } from '@guise/engine/networks/protocols.ts';
import { INSTALLATION } from '@guise/server/config/installation.ts';
import { kindOf } from '@guise/server/networks/network-store.ts';
import { printResult } from '../../console/print.ts';
import { networkStore } from '../../setup/chosen-networks.ts';
import { withProgress } from '../../console/progress-bar.ts';
import { requireReadable } from '../../setup/output-file.ts';
import { withEngine } from '../../setup/with-engine.ts';
import { withWorkspace } from '../../setup/workspace.ts';
import { describeNetwork } from './list.ts';

/** Options of `guise models add`. */
export interface AddOptions {
  readonly iHaveTheRightToUseIt?: true;
  readonly name?: string;
  readonly protocol?: ProtocolName;
  readonly recogniser?: string;
  readonly converter?: string;
  readonly matrix?: string;
  readonly boost?: number;
  readonly json?: true;
}

/** Longest time for a trial without an answer. */
const TRIAL_MS = 60_000;

/** Adds a network that the operator brings, after it was tried. */
export async function addModel(file: string, options: AddOptions): Promise<void> {
  if (!options.iHaveTheRightToUseIt)
    throw new Error(
      'guise does not know who may use this network. Read its licence, and add --i-have-the-right-to-use-it.',
    );
  await requireReadable(file);
  if (options.matrix !== undefined) await requireMatrix(options.matrix);
  const store = networkStore();
  const id = options.name ?? path.parse(file).name.toLowerCase();
  await store.requireFree(id);
  const copy = await store.copyIn(file, options.matrix);
  try {
    const hasMatrix = options.matrix !== undefined;
    const protocol = await inspect(file, copy.file, options.protocol, hasMatrix);
    const { recogniser, converter, boost } = options;
    if (boost !== undefined && kindOf({ protocol }) !== 'swapper')
      throw new Error('--boost is for networks that swap faces.');
    if (hasMatrix && protocol !== 'inswapper') throw new Error('--matrix is for inswapper.');
    const added = await store.add(copy, { id, protocol, boost, recogniser, converter });
    printResult(options, { kind: kindOf(added), ...added }, [
      `Added ${describeNetwork(added)}.`,
      ...(kindOf(added) === 'swapper'
        ? [`Try it: ${INSTALLATION.command} models test ${id} --report report`]
        : []),
    ]);
  } finally {
    await store.discard(copy);
  }
}

/** @throws Error with a sentence unless the file holds inswapper's matrix */
async function requireMatrix(file: string): Promise<void> {
  await requireReadable(file);
  try {
    readNpyMatrix(await readFile(file), IDENTITY_LENGTH, IDENTITY_LENGTH);
  } catch (error) {
    throw new Error(`${file} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Finds out, in a process without rights, which protocol a network has.
 * @param name of the file in messages @throws Error with a sentence if guise cannot use it
 */
async function inspect(
  name: string,
  file: string,
  wanted: ProtocolName | undefined,
  hasMatrix: boolean,
): Promise<ProtocolName> {
  const found = await withProgress(() =>
    withWorkspace(null, (workspace) =>
      withEngine(
        workspace,
        (engine) => engine.run({ kind: 'inspect-network', networkPath: file, protocol: wanted, hasMatrix }),
        { stallTimeoutMs: TRIAL_MS },
      ).catch((error) => {
        if (error instanceof EngineDied)
          throw new Error(`${name} cannot be used: the process that tried it died.`, { cause: error });
        if (error instanceof TaskFailure && error.code === 'RESOURCE_LIMIT')
          throw new Error(`${name} cannot be used: it takes more than 60 s or 4 GB.`, { cause: error });
        throw error;
      }),
    ),
  );
  if ('protocol' in found) return found.protocol;
  const hint = found.fitting.length > 1 && wanted === undefined ? ' Say which with --protocol.' : '';
  throw new Error(`${name} cannot be used: ${found.problem}${hint}`);
}
