/**
 * `npm run build:kernels`: compiles packages/kernels/assembly to
 * packages/kernels/built/kernels.wasm, which is committed.
 *
 * With `--check` nothing is written; exits 1 if the committed file differs from what the sources
 * give.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { main as runCompiler } from 'assemblyscript/asc';

const ROOT = path.resolve(import.meta.dirname, '../packages/kernels');
const BUILT = path.join(ROOT, 'built/kernels.wasm');

/**
 * Compiler options: 128-bit SIMD, and neither runtime nor heap, because the kernels work on
 * addresses that they are given. Only those relaxed SIMD instructions are used whose results are
 * the same everywhere for these values.
 */
const OPTIONS = [
  '--enable',
  'simd',
  '--enable',
  'relaxed-simd',
  '--runtime',
  'stub',
  '--use',
  'abort=',
  '--importMemory',
  '--noAssert',
  '-O3',
  '--converge',
];

async function compile(): Promise<Uint8Array> {
  let wasm: Uint8Array | null = null;
  const { error, stderr } = await runCompiler(
    ['assembly/index.ts', '--outFile', 'kernels.wasm', ...OPTIONS],
    {
      readFile: (name, baseDir) => {
        try {
          return readFileSync(path.resolve(ROOT, baseDir, name), 'utf8');
        } catch {
          return null;
        }
      },
      writeFile: (name, contents) => {
        if (name === 'kernels.wasm') wasm = contents as Uint8Array;
      },
      listFiles: () => [],
    },
  );
  if (error || wasm === null) throw new Error(`the kernels do not compile\n${stderr.toString()}`);
  return wasm;
}

const wasm = await compile();
if (!process.argv.includes('--check')) {
  writeFileSync(BUILT, wasm);
  console.log(`kernels: ${wasm.length} bytes`);
} else if (!Buffer.from(wasm).equals(readFileSync(BUILT))) {
  console.error('packages/kernels/built/kernels.wasm is not what its sources give: npm run build:kernels');
  process.exitCode = 1;
}
