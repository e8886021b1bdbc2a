import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// In development the server runs beside Vite; its socket's address comes from /api/house. It takes the page's
// origin where it is started with --public-origin http://localhost:5173.
const server = process.env['CROUPIER_SERVER'] ?? 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: '../src/croupier/static',
    emptyOutDir: true,
    target: 'es2022',
    // The page's policy is default-src 'self': nothing may become a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { '/api': server, '/docs': server } },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
