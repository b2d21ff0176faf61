import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Writes each script and style compressed, too, so that the service need not compress them. */
const compressed: Plugin = {
  name: 'compressed',
  writeBundle({ dir }, bundle) {
    for (const name of Object.keys(bundle).filter((each) => /\.(js|css)$/.test(each))) {
      const file = path.join(dir!, name);
      const content = readFileSync(file);
      writeFileSync(`${file}.br`, brotliCompressSync(content));
      writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    }
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressed],
  // The server writes a fresh nonce into every index.html.
  html: { cspNonce: '__CSP_NONCE__' },
  // The page shows the same two computer-generated people as `guise demo`.
  resolve: { alias: { 'guise-samples': path.resolve(import.meta.dirname, '../engine/assets/faces') } },
  // Data: links would be a third kind of source in the Content-Security-Policy for nothing.
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // What the first page needs is one file, and so is what many parts share: many small ones cost
    // requests and their headers.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'] },
            { name: 'shared', minShareCount: 10 },
          ],
        },
      },
    },
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // light-dark() stays as it is: rewritten, it would not see the scheme that Mantine sets.
    target: ['chrome123', 'firefox120', 'safari17.5'],
  },
});
