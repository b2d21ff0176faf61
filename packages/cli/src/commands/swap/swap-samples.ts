import { STILL_RESTORE } from '@guise/contract/ai-tasks/forms.ts';
import { DEMO_FACES } from '@guise/engine/samples/sample-faces.ts';
import type { SwapNetworks } from '@guise/engine/networks/open-networks.ts';
import type { EngineProcess } from '@guise/engine-host/parent/engine-process.ts';
import { MAX_PIXELS } from '../../setup/with-engine.ts';
import { watermarkOfFiles } from '../../setup/watermark.ts';
import { labelOf } from './swap-options.ts';

/**
 * Swaps the two computer-generated sample faces.
 * @param outputPath the PNG to write @param networks of the operator for the swap
 */
export async function swapSamples(
  engine: EngineProcess,
  outputPath: string,
  {
    networks,
    onProgress = () => {},
  }: {
    readonly networks?: SwapNetworks | undefined;
    readonly onProgress?: (progress: number) => void;
  } = {},
) {
  return engine.run(
    {
      kind: 'swap-image',
      sourcePath: DEMO_FACES.source,
      targetPath: DEMO_FACES.target,
      outputPath,
      watermark: await watermarkOfFiles([DEMO_FACES.source, DEMO_FACES.target]),
      options: { restore: STILL_RESTORE, label: labelOf({}), output: { format: 'png' } },
      maxPixels: MAX_PIXELS,
      networks,
    },
    { onProgress },
  );
}
