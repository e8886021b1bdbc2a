/** Fails when the built client has grown past its budgets, in bytes as they are sent (gzip; fonts as they are). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const STATIC = join(import.meta.dirname, '../../src/croupier/static');
const ASSETS = join(STATIC, 'assets');
const KB = 1024;

interface Budget {
  readonly what: string;
  readonly most: number;
  readonly files: readonly string[];
}

const all = readdirSync(ASSETS);
const named = (ending: string) => all.filter((name) => name.endsWith(ending));
const read = (name: string) => readFileSync(join(ASSETS, name));
const sent = (name: string) => (name.endsWith('.woff2') ? read(name).length : gzipSync(read(name)).length);

/** These scripts, and what they import at once. */
function withImports(...starts: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const follow = (name: string): void => {
    if (found.has(name) || !all.includes(name)) return;
    found.add(name);
    for (const [, next] of read(name)
      .toString()
      .matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
      follow(next!);
  };
  starts.forEach(follow);
  return [...found];
}

/** What the page itself names: all that the lobby waits for. */
const page = readFileSync(join(STATIC, 'index.html'), 'utf8');
const FIRST = [...page.matchAll(/assets\/([^"']+\.js)/g)].map(([, name]) => name!);

/** What a table of a game waits for. A game of coups also has the tables that all of them share. */
const chunk = (name: string) => named('.js').find((file) => file.startsWith(`${name}-`)) ?? '';
const GAMES = readdirSync(join(import.meta.dirname, '../src/games')).filter((name) => chunk(name));
const tableOf = (game: string) => withImports(...FIRST, chunk('Floor'), chunk('coup'), chunk(game));

/** What no player is ever sent. */
const staffs = (name: string) => name.startsWith('Staff-');
const players = (name: string) => !staffs(name);

const BUDGETS: readonly Budget[] = [
  { what: 'scripts of the first page', most: 60 * KB, files: withImports(...FIRST) },
  ...GAMES.map((game) => ({ what: `scripts of a table: ${game}`, most: 110 * KB, files: tableOf(game) })),
  // With what is fetched only when it is asked for: other pages, panels, learning to play.
  { what: 'all scripts', most: 160 * KB, files: named('.js').filter(players) },
  // Own tables took 13 of 15 KB; live tables, the window of four, the chat and five more games came after.
  { what: 'all styles', most: 32 * KB, files: named('.css').filter(players) },
  { what: 'scripts of the staff', most: 20 * KB, files: named('.js').filter(staffs) },
  { what: 'styles of the staff', most: 5 * KB, files: named('.css').filter(staffs) },
  { what: 'fonts', most: 50 * KB, files: named('.woff2') },
];

for (const { what, most, files } of BUDGETS) {
  const size = files.reduce((sum, name) => sum + sent(name), 0);
  const over = size > most;
  console.log(`${over ? 'OVER ' : ''}${what}: ${(size / KB).toFixed(1)} of ${most / KB} KB`);
  if (!files.length || over) process.exitCode = 1;
}
