/**
 * `npm run pack:client [-- FOLDER]`: makes `guise-client-VERSION.tgz` in `dist/` or in the folder:
 * the client for `npm install`, of JavaScript and its types.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const CLIENT = path.join(ROOT, 'packages/client');
const FOLDER = path.resolve(process.argv[2] ?? path.join(ROOT, 'dist'));

const stage = mkdtempSync(path.join(tmpdir(), 'guise-client-'));
try {
  execFileSync(
    process.execPath,
    [
      path.join(ROOT, 'node_modules/typescript/bin/tsc'),
      '-p',
      path.join(CLIENT, 'tsconfig.json'),
      '--outDir',
      path.join(stage, 'lib'),
    ],
    { stdio: 'inherit' },
  );
  const { name, version, description, license, type, engines } = JSON.parse(
    readFileSync(path.join(CLIENT, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  const exports = { '.': { types: './lib/index.d.ts', default: './lib/index.js' } };
  const manifest = { name, version, description, license, type, engines, exports, sideEffects: false };
  writeFileSync(path.join(stage, 'package.json'), JSON.stringify(manifest, null, 2));
  for (const file of ['LICENSE', 'packages/client/README.md'])
    cpSync(path.join(ROOT, file), path.join(stage, path.basename(file)));
  mkdirSync(FOLDER, { recursive: true });
  const packed = path.join(FOLDER, `guise-client-${String(version)}.tgz`);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', FOLDER], { cwd: stage });
  console.log(path.relative(process.cwd(), packed));
} finally {
  rmSync(stage, { recursive: true });
}
