/**
 * `npm run soak -- documents-pdfs [--data DIR]`: every PDF of DIR (by default `../shared/data/documents` beside the
 * project: `pdfs`, `pdfs-made`) and some of our own in one plan, carried out and taken back as `documents scan` does it.
 * Ends with code 1 when a written file does not begin with the original, qpdf finds more in it than in the original, or
 * undo does not lead back to the same SHA-256.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { NodeFileTree } from '#adapters/node/file-tree.ts';
import type { DocumentRecord } from '#core/documents/record.ts';
import { carryOut, undoCommand } from '#lanes/documents/cli/carry-out.ts';
import { makePlan } from '#lanes/documents/core/plan/make-plan.ts';
import { entriesOf } from '#lanes/documents/core/plan/scan-folder.ts';
import { whyNotWritable } from '#lanes/documents/core/write/writable.ts';
import { openScan } from '#lanes/documents/node/scan/open-scan.ts';
import { lockedPdf } from '../fixtures/locked-pdf.ts';
import { column, makePdf } from '../fixtures/make-pdf.ts';
import { hasQpdf, qpdfFaults } from '../fixtures/qpdf.ts';

const { values } = parseArgs({ options: { data: { type: 'string' } } });
const data = resolve(values.data ?? join(import.meta.dirname, '../../../shared/data/documents'));
const RECORD: DocumentRecord = {
  ...{ title: 'Räder & <Flüsse> der "河"', authors: ['Ana García', 'The Group'], publication: 'Journal of Tests' },
  ...{ date: '2019-05', year: 2019, doi: '10.5555/d(2011)2<1::x>2.0;2-q', isbn: '', pdf_url: '', source_url: '' },
};

const base = await mkdtemp(join(tmpdir(), 'accession-soak-'));
try {
  await soak();
} finally {
  await rm(base, { recursive: true, force: true });
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Each with a name of its own. */
async function originals(): Promise<Map<string, Uint8Array>> {
  const page = [column(72, 700, ['Rivers', 'We measured.'])];
  const files = new Map<string, Uint8Array>([
    ['own-plain.pdf', makePdf(page)],
    ['own-info.pdf', makePdf(page, { info: { Title: 'untitled.dvi', Keywords: 'river' } })],
    ['own-link.pdf', makePdf(page, { link: 'https://doi.org/10.5555/river' })],
    ['own-locked.pdf', await lockedPdf(makePdf(page), 'river')],
  ]);
  for (const folder of ['pdfs', 'pdfs-made']) {
    if (!existsSync(join(data, folder))) continue;
    for (const name of await readdir(join(data, folder)))
      if (name.endsWith('.pdf')) files.set(`${folder}-${name}`, await readFile(join(data, folder, name)));
  }
  return files;
}

async function soak(): Promise<void> {
  if (!hasQpdf()) process.stdout.write('qpdf is not installed here: only pdf.js looks at what is written\n');
  const root = join(base, 'papers');
  await mkdir(root);
  const files = await originals();
  for (const [name, bytes] of files) await writeFile(join(root, name), bytes);
  const said: string[] = [];
  const ports = await openScan(
    { dir: root, data: join(base, 'data'), offline: true },
    {
      say: (line) => said.push(line),
      signal: new AbortController().signal,
      openTree: (directory) => NodeFileTree.open(directory),
    },
  );
  const entries = await entriesOf(ports.tree, ports.cancel);
  const decided = [...files].map(([path, bytes]) => ({
    ...({ path, id: hashOf(bytes), action: 'write', record: { ...RECORD, title: `${RECORD.title} ${path}` } } as const),
    ...{ notes: '', source: 'crossref', evidence: [], writable: whyNotWritable(bytes) === null },
  }));
  const planning = {
    id: ports.ids.next(),
    root: ports.root,
    entries,
    rules: ports.tree.rules,
    rename: true,
    known: [],
  };
  const { plan, sources, before, told } = makePlan(decided, { ...planning, now: new Date().toISOString() });
  const kept = { plan, sources, manifest: join(base, 'manifest.json'), before, told };
  const sums = { files: files.size, written: 0, left: 0, prefix_lost: 0, qpdf_worse: 0, not_undone: 0 };
  if ((await carryOut(kept, `${files.size} documents`, ports)) !== 0) throw new Error(said.join('\n'));
  for (const { path, to } of plan.files) {
    const name = path.slice(ports.root.length + 1);
    const original = files.get(name) ?? new Uint8Array();
    const now = await readFile(to);
    if (hashOf(now) === hashOf(original)) {
      sums.left += 1;
      continue;
    }
    sums.written += 1;
    const isPrefix = now.length > original.length && hashOf(now.subarray(0, original.length)) === hashOf(original);
    const faults = hasQpdf() ? { then: await qpdfFaults(original), now: await qpdfFaults(now) } : { then: '', now: '' };
    const isWorse = faults.now !== '' && faults.then === '';
    sums.prefix_lost += Number(!isPrefix);
    sums.qpdf_worse += Number(isWorse);
    if (!isPrefix || isWorse)
      process.stdout.write(`${name}: ${isPrefix ? faults.now : 'the original is not its beginning'}\n`);
  }
  for (const line of said.filter((one) => one.includes('not written into'))) process.stdout.write(`${line}\n`);
  const code = await undoCommand(undefined, ports);
  for (const [name, bytes] of files) {
    const back = await readFile(join(root, name)).catch(() => new Uint8Array());
    if (hashOf(back) === hashOf(bytes)) continue;
    sums.not_undone += 1;
    process.stdout.write(`${name}: not the same after undo\n`);
  }
  const figures = Object.fromEntries(Object.entries(sums).map(([name, value]) => [`documents_pdfs.${name}`, value]));
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  const file = process.env['ACCESSION_FIGURES'];
  if (file !== undefined) await writeFile(file, JSON.stringify(figures));
  if (code !== 0 || sums.prefix_lost + sums.qpdf_worse + sums.not_undone > 0) process.exitCode = 1;
}
