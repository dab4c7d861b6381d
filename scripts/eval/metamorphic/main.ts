/**
 * `npm run eval -- metamorphic [--catalog FILE] [--names DIR] [--albums N] [--seed N] [--kind TEXT]
 * [--part neutral|telling] [--json FILE] [--examples FILE]`: albums of a catalog, changed at random in ways that say
 * nothing and in ways that do. Without `--catalog` that of the shared data where it lies beside the clone, else the
 * project's own.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { ChangesSource, ChangesTask } from '../threads/metamorphic.types.ts';
import { startPool } from '../threads/pool.ts';
import { vetoTable } from '../vetoes.ts';
import { addUp, figuresOf, type Measured } from './measure.ts';

/** Changed albums that are drawn by one seed: the same pieces whatever the number of threads. */
const PIECE = 500;

const SHARED = '../shared/data/music';

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    catalog: { type: 'string' },
    names: { type: 'string' },
    albums: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    kind: { type: 'string', default: '' },
    part: { type: 'string', default: '' },
    json: { type: 'string' },
    examples: { type: 'string' },
  },
});

const shared = existsSync(`${SHARED}/catalog.json`) ? SHARED : null;
const path = values.catalog ?? (shared && `${shared}/catalog.json`);
const seed = Number(values.seed);
const part = values.part === 'telling' || values.part === 'neutral' ? values.part : '';
const pool = startPool<ChangesTask, Measured>(new URL('../threads/metamorphic.thread.ts', import.meta.url), {
  ...{ catalog: path, seed, kind: values.kind, part },
  names: values.names ?? shared,
} satisfies ChangesSource);
const pieces = Math.max(1, Math.ceil(Number(values.albums) / PIECE));
const tasks = Array.from({ length: pieces }, (_, n) => ({
  seed: seed * 1000 + n,
  albums: Math.ceil(Number(values.albums) / pieces),
}));
const measured = addUp(await pool.run(tasks));
await pool.close();

console.log(`${path ?? "the project's own catalog"}: ${pieces} pieces, seed ${seed}\n`);
console.log(
  ['kind', 'albums', 'files', 'asked', 'moved', 'stayed']
    .map((head, n) => (n === 0 ? head.padEnd(30) : head.padStart(9)))
    .join(''),
);
const table: Record<string, number> = {};
for (const [kind, { carries, ...count }] of measured.kinds) {
  const { albums, files, asked, moved, stayed } = count;
  console.log(
    kind.padEnd(30) +
      [albums, files, carries ? '-' : asked, carries ? '-' : moved, carries ? stayed : '-']
        .map((cell) => String(cell).padStart(9))
        .join(''),
  );
  const { asked: _asked, moved: _moved, stayed: _stayed, ...size } = count;
  for (const [name, value] of Object.entries(carries ? { ...size, stayed } : { ...size, asked, moved }))
    table[`kind.${kind}.${name}`] = value;
}
console.log(`\nvetoes: files they alone keep from approval after changes that say something, and after others\n`);
console.log(`${vetoTable(measured.vetoes)}\n`);
for (const [kind, counts] of measured.vetoes)
  for (const [what, value] of Object.entries(counts)) table[`veto.${kind}.${what}`] = value;
const all = figuresOf(measured);
for (const [name, value] of Object.entries(all)) console.log(`${name.padEnd(28)}${Number(value.toFixed(5))}`);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ ...all, ...table }, null, 2)}\n`);
if (values.examples !== undefined)
  writeFileSync(values.examples, measured.examples.map((one) => `${JSON.stringify(one)}\n`).join(''));
