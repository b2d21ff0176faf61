import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // The server writes a fresh nonce into every index.html.
  html: { cspNonce: '__CSP_NONCE__' },
  // Data: links would be a third kind of source in the Content-Security-Policy for nothing.
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // light-dark() stays as it is: rewritten, it would not see the scheme that Mantine sets.
    target: ['chrome123', 'firefox120', 'safari17.5'],
  },
});
