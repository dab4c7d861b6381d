/**
 * `npm run soak -- documents [--kills N] [--seed N]`: forty PDFs are written and named anew by `accession documents scan`,
 * which is killed at a random instant of the work and run again. Ends with code 1 when a file was neither as before nor as
 * planned, or the manifest was no whole one.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mulberry32 } from '#core/mulberry32.ts';
import { keyOf } from '#lanes/documents/core/lookup/cache.ts';
import { readManifest } from '#lanes/documents/core/manifest/manifest.ts';
import { answerFolder } from '#lanes/documents/node/answer-folder.ts';
import { column, makePdf } from '../fixtures/make-pdf.ts';
import { crossrefWork } from '../fixtures/metadata-server.ts';
import { changed } from './changed-files.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
});
const count = Number(values.kills);
const seed = Number(values.seed);
if (!Number.isSafeInteger(count) || count < 1) throw new Error('--kills must be a whole number from 1 on.');
if (!Number.isSafeInteger(seed)) throw new Error('--seed must be a whole number.');

const FILES = 40;
const LONGEST_MS = 180_000;
const program = join(import.meta.dirname, '../../src/cli/main.ts');
const random = mulberry32(seed);
const folder = await mkdtemp(join(tmpdir(), 'accession-soak-'));
const [clean, work] = [join(folder, 'clean'), join(folder, 'work')];

let running: ChildProcess | null = null;
// Stopped by hand, it takes its process with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => (running?.kill('SIGKILL'), process.exit(1)));

try {
  await soak();
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Forty papers, and what Crossref said of each before. */
async function prepare(): Promise<void> {
  await mkdir(join(clean, 'papers'), { recursive: true });
  const answers = answerFolder(join(clean, 'data', 'documents', 'answers'));
  for (let n = 1; n <= FILES; n++) {
    const [doi, title] = [`10.5555/river.${n}`, `Counting the rivers of the valley, part ${n}`];
    const page = [{ text: `https://doi.org/${doi}`, x: 72, y: 700 }, ...column(72, 650, [title, 'We measured it.'])];
    await writeFile(join(clean, 'papers', `${n}.pdf`), makePdf([page]));
    const body = crossrefWork(doi, { title: [title] });
    const answer = { status: 200, headers: { 'content-type': 'application/json' }, body, at: Date.now() };
    await answers.put(keyOf('api.crossref.org', { kind: 'doi', value: doi }), answer);
  }
}

async function fresh(): Promise<void> {
  await rm(work, { recursive: true, force: true });
  await cp(clean, work, { recursive: true });
}

/** Begins a scan that writes. */
function begin(): { child: ChildProcess; ended: Promise<number | null> } {
  const at = (name: string): string => join(work, name);
  const flags = ['--dir', at('papers'), '--data', at('data'), '--manifest', at('manifest.json'), '--offline'];
  const child = spawn(
    process.execPath,
    [program, 'documents', 'scan', '--write', '--yes', '--skip-existing', ...flags],
    {
      stdio: 'ignore',
    },
  );
  running = child;
  return { child, ended: once(child, 'exit').then(([code]: unknown[]) => (typeof code === 'number' ? code : null)) };
}

/** Documents by name, each with the SHA-256 of its content. */
async function contents(): Promise<Map<string, string>> {
  const names = (await readdir(join(work, 'papers'))).filter((name) => name.endsWith('.pdf') && !name.startsWith('.'));
  const hash = async (name: string): Promise<[string, string]> => [
    name,
    createHash('sha256')
      .update(await readFile(join(work, 'papers', name)))
      .digest('hex'),
  ];
  return new Map(await Promise.all(names.map(hash)));
}

/** How many entries the manifest has; null: it is no whole one. */
async function entriesOfManifest(): Promise<number | null> {
  try {
    const text = await readFile(join(work, 'manifest.json'), 'utf8').catch(() => null);
    return readManifest(text, 'manifest.json').entries.length;
  } catch {
    return null;
  }
}

/** Until the journal of the work is there, or the work has ended. */
async function journalBegun(child: ChildProcess): Promise<boolean> {
  while (child.exitCode === null) {
    const names = await readdir(join(work, 'data', 'documents', 'plans')).catch(() => []);
    if (names.some((name) => name.endsWith('.journal.jsonl'))) return true;
    await sleep(2);
  }
  return false;
}

async function soak(): Promise<void> {
  await prepare();
  await fresh();
  const before = await contents();
  const whole = begin();
  await journalBegun(whole.child);
  const begun = performance.now();
  // The manifest is written when the files are done.
  while (whole.child.exitCode === null && !existsSync(join(work, 'manifest.json'))) await sleep(2);
  const tookMs = performance.now() - begun;
  await whole.ended;
  const after = await contents();
  const known = new Set([...before.values(), ...after.values()]);
  process.stdout.write(
    `seed ${seed}, ${Math.round(tookMs)} ms of work\nkill  written then  torn  manifest torn  written now\n`,
  );
  const sums = { kills: 0, midway: 0, torn: 0, manifest_torn: 0, unfinished: 0 };
  for (let kill = 1; kill <= count; kill++) {
    await fresh();
    const { child, ended } = begin();
    await journalBegun(child);
    // Every fourth one at any instant of the work, the others in the middle of the steps.
    const names = [...before.keys()].map((name) => join(work, 'papers', name));
    const isOver = (): boolean => child.exitCode !== null;
    if (kill % 4 === 0) await sleep(random() * tookMs);
    else await changed(names, { count: 1 + Math.floor(random() * (FILES - 1)), longestMs: LONGEST_MS, isOver });
    child.kill('SIGKILL');
    await ended;
    const then = await contents();
    const torn = [...then.values()].filter((hash) => !known.has(hash)).length + Math.abs(FILES - then.size);
    const written = [...then.values()].filter((hash) => ![...before.values()].includes(hash)).length;
    const manifest = await entriesOfManifest();
    await begin().ended;
    const now = await contents();
    const isDone = [...after].every(([name, hash]) => now.get(name) === hash) && now.size === FILES;
    const isListed = (await entriesOfManifest()) === FILES;
    sums.kills += 1;
    sums.midway += Number(written > 0 && written < FILES);
    sums.torn += torn;
    sums.manifest_torn += Number(manifest === null);
    sums.unfinished += Number(!isDone || !isListed);
    const cells = [kill, written, torn, Number(manifest === null), isDone && isListed ? FILES : `${now.size}?`];
    process.stdout.write(`${cells.map((cell, i) => `${cell}`.padStart([4, 12, 4, 13, 11][i] ?? 0)).join('  ')}\n`);
  }
  const figures = Object.fromEntries(Object.entries(sums).map(([name, value]) => [`documents.${name}`, value]));
  const file = process.env['ACCESSION_FIGURES'];
  if (file !== undefined) await writeFile(file, JSON.stringify(figures));
  if (sums.torn + sums.manifest_torn + sums.unfinished > 0) process.exitCode = 1;
}
