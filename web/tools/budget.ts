/** Fail if the built client exceeds its budgets, in bytes as sent (gzip; fonts uncompressed). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const STATIC = join(import.meta.dirname, '../../src/croupier/static');
const ASSETS = join(STATIC, 'assets');
const KB = 1024;
/** The server's compression level. */
const LEVEL = 9;
/** Maximum number of tables in a window. */
const TOGETHER = 4;

interface Budget {
  readonly what: string;
  readonly max: number;
  readonly files: readonly string[];
}

const all = readdirSync(ASSETS);
const named = (ending: string) => all.filter((name) => name.endsWith(ending));
const scripts = (files: Iterable<string>) => [...files].filter((name) => name.endsWith('.js'));
const styles = (files: Iterable<string>) => [...files].filter((name) => name.endsWith('.css'));
const read = (name: string) => readFileSync(join(ASSETS, name));
const sent = (name: string) =>
  name.endsWith('.woff2') ? read(name).length : gzipSync(read(name), { level: LEVEL }).length;
const sizeOf = (files: readonly string[]) => files.reduce((sum, name) => sum + sent(name), 0);

/** The files named by the page itself, needed by every page. */
const page = readFileSync(join(STATIC, 'index.html'), 'utf8');
const FIRST = [...page.matchAll(/assets\/([^"']+\.(?:js|css))/g)].map(([, name]) => name!);

/** For each script loaded later: everything loaded with it, scripts and styles. */
const FETCHED = new Map(
  scripts(all).flatMap((name) => {
    const text = read(name).toString();
    const listed = /\.f=\[([^\]]*)\]/.exec(text)?.[1] ?? '';
    const list = [...listed.matchAll(/assets\/([^"']+)/g)].map(([, file]) => file!);
    const imports = text.matchAll(
      /import\(`\.\/([^`]+)`\)(?:(?!import\()[^])*?__vite__mapDeps\(\[([\d,]*)\]\)/g,
    );
    return [...imports].map(([, file, places]) => {
      const others = places!.split(',').filter(Boolean);
      return [file!, [file!, ...others.map((place) => list[Number(place)]!)]] as const;
    });
  }),
);

/** Return everything loaded by a page that needs these chunks. */
function waitsFor(...chunks: readonly string[]): ReadonlySet<string> {
  const found = chunks.map((chunk) => {
    const name = [...FETCHED.keys()].find((file) => file.startsWith(`${chunk}-`));
    if (!name) throw new Error(`Nothing fetches ${chunk}`);
    return FETCHED.get(name)!;
  });
  return new Set([...FIRST, ...found.flat()]);
}

const GAMES = readdirSync(join(import.meta.dirname, '../src/games')).filter((game) =>
  [...FETCHED.keys()].some((file) => file.startsWith(`${game}-`)),
);

/** Every combination of `count` items. */
const choices = <T>(of: readonly T[], count: number): readonly (readonly T[])[] =>
  count === 0
    ? [[]]
    : of.flatMap((one, place) => choices(of.slice(place + 1), count - 1).map((others) => [one, ...others]));

/** The largest combination of tables of different games. */
const heaviest = (of: typeof scripts) =>
  choices(GAMES, TOGETHER)
    .map((games) => of(waitsFor('Workspace', ...games)))
    .reduce((max, files) => (sizeOf(files) > sizeOf(max) ? files : max));

/** The files that players never load. */
const staffs = (name: string) => name.startsWith('Staff') || name.startsWith('Bonuses-');
/** The files of the dealer's camera, which only tables with one load. */
const videos = (name: string) => name.startsWith('Video');
/** hls.js with its player, which only players load who watch by HLS: it is half as large as everything else. */
const streams = (name: string) => name.startsWith('hls_player');
const players = (name: string) => !staffs(name) && !videos(name) && !streams(name);

const BUDGETS: readonly Budget[] = [
  { what: 'scripts of the first page', max: 61 * KB, files: scripts(waitsFor('Lobby')) },
  ...GAMES.flatMap((game) => [
    { what: `scripts of a table: ${game}`, max: 110 * KB, files: scripts(waitsFor('Workspace', game)) },
    { what: `styles of a table: ${game}`, max: 20 * KB, files: styles(waitsFor('Workspace', game)) },
  ]),
  { what: 'scripts of four tables', max: 125 * KB, files: heaviest(scripts) },
  { what: 'styles of four tables', max: 20 * KB, files: heaviest(styles) },
  { what: 'all scripts', max: 212 * KB, files: named('.js').filter(players) },
  { what: 'scripts of the staff', max: 46 * KB, files: named('.js').filter(staffs) },
  { what: 'styles of the staff', max: 5 * KB, files: named('.css').filter(staffs) },
  { what: 'scripts of the dealer’s picture and camera', max: 10 * KB, files: named('.js').filter(videos) },
  { what: 'scripts of the picture by HLS', max: 118 * KB, files: named('.js').filter(streams) },
  { what: 'fonts', max: 50 * KB, files: named('.woff2') },
];

for (const { what, max, files } of BUDGETS) {
  const size = sizeOf(files);
  const over = size > max;
  console.log(`${over ? 'OVER ' : ''}${what}: ${(size / KB).toFixed(1)} of ${max / KB} KB`);
  if (!files.length || over) process.exitCode = 1;
}
