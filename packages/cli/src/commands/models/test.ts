import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MESH_ENGINE } from '@guise/contract/engines.ts';
import { DEMO_FACES } from '@guise/engine/samples/sample-faces.ts';
import type { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import { residentBytes } from '@guise/media/isolation/process-usage.ts';
import { kindOf } from '@guise/server/networks/network-store.ts';
import { printResult } from '../../console/print.ts';
import { withProgress } from '../../console/progress-bar.ts';
import { chosenNetworks, networkStore, onProviders } from '../../setup/chosen-networks.ts';
import { withEngine } from '../../setup/with-engine.ts';
import { withWorkspace } from '../../setup/workspace.ts';
import { swapSamples } from '../swap/swap-samples.ts';
import { reportPage, type TestedEngine } from './report-page.ts';

/** Swaps the sample faces with one network, or with every engine, and says how it went. */
export async function testModels(
  id: string | undefined,
  { report, json }: { readonly report?: string; readonly json?: true },
): Promise<void> {
  const installed = (await networkStore().list()).filter((each) => kindOf(each) === 'swapper');
  const ids = id === undefined ? [MESH_ENGINE.id, ...installed.map((each) => each.id)] : [id];
  if (report !== undefined) {
    await mkdir(report, { recursive: true });
    for (const name of ['source', 'target'] as const)
      await copyFile(DEMO_FACES[name], path.join(report, `${name}.jpg`));
  }
  const engines: TestedEngine[] = [];
  for (const each of ids) {
    const chosen = await chosenNetworks({ engine: each });
    engines.push(
      await withProgress(() =>
        withWorkspace(null, (workspace) =>
          withEngine(workspace, async (engine) => {
            const picture = path.join(workspace.folder, 'swapped.png');
            const networks = await onProviders(engine, chosen);
            await swapSamples(engine, picture, { networks });
            // The first swap opens the network.
            const { timingsMs, identitySimilarity } = await swapSamples(engine, picture, { networks });
            if (report !== undefined) await copyFile(picture, path.join(report, `${each}.png`));
            return {
              id: each,
              swapMs: Math.round((timingsMs.swap ?? 0) + (timingsMs.prepareSource ?? 0)),
              memoryBytes: await memoryOf(engine),
              identitySimilarity,
            };
          }),
        ),
      ),
    );
  }
  if (report !== undefined) await writeFile(path.join(report, 'index.html'), reportPage(engines));
  printResult({ json }, { engines }, [
    ...engines.map(describe),
    ...(report === undefined ? [] : [`Look at the pictures: ${path.join(report, 'index.html')}`]),
  ]);
}

function describe({ id, swapMs, memoryBytes, identitySimilarity }: TestedEngine): string {
  const likeness = identitySimilarity === null ? '' : `, likeness ${identitySimilarity.toFixed(2)}`;
  return `${id}: ${swapMs} ms a face, ${Math.round(memoryBytes / 1e6)} MB${likeness}`;
}

async function memoryOf({ pid }: EngineProcess): Promise<number> {
  return pid === null ? 0 : residentBytes(pid);
}
