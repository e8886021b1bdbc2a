import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// In development the server runs separately; its socket address comes from /api/server. It accepts the page's
// origin if started with --public-origin http://localhost:5173.
const server = process.env['CROUPIER_SERVER'] ?? 'http://127.0.0.1:8000';

// One chunk for the styles of all tables: two thirds of their size apart, and shared by every further table. Styles
// that the lobby needs too are excluded.
const TABLES = /\/src\/(workspace|live|kits|table|games)\/(?!Card\.|\w+\/Art\.).*type=style/;

export default defineConfig({
  plugins: [
    svelte({
      compilerOptions: {
        // Short hashes: the default ones are a twentieth of all styles and do not compress.
        cssHash: ({ hash, filename }) => `s${hash(filename).slice(0, 5)}`,
      },
    }),
  ],
  build: {
    outDir: '../src/croupier/static',
    emptyOutDir: true,
    target: 'es2022',
    // The page's policy is default-src 'self': nothing may become a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'tables', test: TABLES }] } } },
  },
  server: { proxy: { '/api': server, '/docs': server } },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
