import { mkdirSync } from 'node:fs';
import { copyFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { STILL_RESTORE } from '@guise/contract/ai-tasks/forms.ts';
import { DEMO_FACES } from '@guise/engine/samples/sample-faces.ts';
import { withProgress } from '../console/progress-bar.ts';
import { nearestExisting, type OutputOptions, placeFile, requireFree } from '../setup/output-file.ts';
import { withEngine } from '../setup/with-engine.ts';
import { withWorkspace } from '../setup/workspace.ts';
import { swapSamples } from './swap/swap-samples.ts';
import { describeSwap, swapReceipt } from './swap/photo-swap.ts';

/** Names of the files that the demo makes. */
const NAMES = ['source.jpg', 'target.jpg', 'result.png'] as const;

export async function demo(options: OutputOptions & { readonly json?: true }): Promise<void> {
  const files = NAMES.map((name) => path.join(options.output, name));
  if ((await stat(options.output).catch(() => null))?.isDirectory() === false)
    throw new Error(`${options.output} is not a folder; give a folder.`);
  for (const output of files) await requireFree({ ...options, output });
  const folder = path.resolve(options.output);
  const receipt = await withWorkspace(path.join(nearestExisting(folder), 'guise-demo'), async (workspace) => {
    const [source, target, result] = NAMES.map((name) => path.join(workspace.folder, name)) as [
      string,
      string,
      string,
    ];
    await Promise.all([copyFile(DEMO_FACES.source, source), copyFile(DEMO_FACES.target, target)]);
    const made = await withProgress((onProgress) =>
      withEngine(workspace, async (engine) => {
        const outcome = await swapSamples(engine, result, { onProgress });
        return swapReceipt(files[2]!, STILL_RESTORE, outcome, await engine.whenReady());
      }),
    );
    workspace.finish(() => {
      mkdirSync(folder, { recursive: true });
      [source, target, result].forEach((each, at) => placeFile(each, { ...options, output: files[at]! }));
    });
    return made;
  });
  process.stdout.write(options.json ? `${JSON.stringify(receipt, null, 2)}\n` : describeSwap(receipt));
  if (!options.json)
    process.stdout.write(`Compare ${options.output}/source.jpg and ${options.output}/target.jpg.\n`);
}
