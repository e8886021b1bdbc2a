import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// In development the server runs beside Vite; its socket's address comes from /api/house. It takes the page's
// origin where it is started with --public-origin http://localhost:5173.
const server = process.env['CROUPIER_SERVER'] ?? 'http://127.0.0.1:8000';

// Styles of all that is drawn at tables: together they are two thirds of what they are apart, and whoever opens a
// second table has them. What the lobby draws too isn't among them.
const TABLES = /\/src\/(workspace|live|kits|table|games)\/(?!Card\.|\w+\/Art\.).*type=style/;

export default defineConfig({
  plugins: [
    svelte({
      compilerOptions: {
        // Long names of classes are a twentieth of all styles: they tell nothing apart, so they don't compress.
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
