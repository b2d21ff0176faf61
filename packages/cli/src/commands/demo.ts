import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { STILL_RESTORE } from '@guise/contract/ai-tasks/forms.ts';
import { readSampleFaces } from '@guise/engine/samples/sample-faces.ts';
import { MAX_PIXELS, withEngine } from '../setup/with-engine.ts';
import { describeSwap, swapReceipt } from './swap.ts';

export async function demo(options: { readonly output: string; readonly json?: true }): Promise<void> {
  const [source, target, result] = ['source.jpg', 'target.jpg', 'result.png'].map((name) =>
    path.resolve(options.output, name),
  ) as [string, string, string];
  const { face, body } = await readSampleFaces();
  await mkdir(path.resolve(options.output), { recursive: true });
  await Promise.all([writeFile(source, face), writeFile(target, body)]);
  await withEngine(result, async (engine) => {
    const outcome = await engine.run({
      kind: 'swap-image',
      sourcePath: source,
      targetPath: target,
      outputPath: result,
      restore: STILL_RESTORE,
      outputFormat: 'png',
      maxPixels: MAX_PIXELS,
    });
    const receipt = swapReceipt(
      path.join(options.output, 'result.png'),
      STILL_RESTORE,
      outcome,
      await engine.whenReady(),
    );
    process.stdout.write(options.json ? `${JSON.stringify(receipt, null, 2)}\n` : describeSwap(receipt));
    if (!options.json)
      process.stdout.write(`Compare ${options.output}/source.jpg and ${options.output}/target.jpg.\n`);
  });
}
