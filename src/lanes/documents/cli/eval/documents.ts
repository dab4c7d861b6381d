/**
 * `npm run eval -- documents [--data DIR] [--peers DIR] [--json FILE]`: what the reading of papers and books is worth, on the project's
 * own texts (tests/fixtures/documents; of the `unseen` kinds nobody who writes rules reads one; `layouts`: decision 141; `heads`: decision 151; `strangers`, `others`: 152, 156) and beside them on those
 * of `DIR`, by default `../shared/data/documents` beside the project (docs/CONTRIBUTING.md, Data), which is left out
 * where it is not there.
 *
 *   own.*, unseen.*, layouts.*, heads.*, strangers.*, others.* doi, arxiv, isbn: what a text has is found; no_false: nothing else is claimed
 *   strings.*, isbn_windows    identifiers in a piece of text; `.contested`: where readers differ
 *   documents.*, references.*  a document's own identifier, and that of an entry in a list
 *   pdfs.*, pdfs-made.*        right, claims_right, write; evidence: with a page and a box, or a named field
 *   lookup.right               conversations with metadata sources: answers, hosts and pauses as expected
 *   listings.right             pasted pages and rough XML
 *   citations.right            texts with tokens, in styles
 *   peer.*                     what others find in the same (peer-figures.ts)
 *   <name>.n                   of how many
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { lookupFigures } from './lookup-figures.ts';
import { citationFigures, listingFigures } from './record-figures.ts';
import { pdfFigures } from './pdf-figures.ts';
import { peerPdfFigures, peerTextFigures } from './peer-figures.ts';
import { ownTextFigures, sharedTextFigures } from './text-figures.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== 'documents'),
  options: { data: { type: 'string' }, peers: { type: 'string' }, json: { type: 'string' } },
});
const root = join(import.meta.dirname, '../../../../..');
const own = join(root, 'tests/fixtures/documents');
const data = resolve(values.data ?? join(root, '../shared/data/documents'));

const all: Record<string, number> = {
  ...(await ownTextFigures(join(own, 'texts-seen.jsonl'), 'own')),
  ...(await ownTextFigures(join(own, 'texts-unseen.jsonl'), 'unseen')),
  ...(await ownTextFigures(join(own, 'layouts.jsonl'), 'layouts')),
  ...(await ownTextFigures(join(own, 'heads.jsonl'), 'heads')),
  ...(await ownTextFigures(join(own, 'strangers.jsonl'), 'strangers')),
  ...(await ownTextFigures(join(own, 'others.jsonl'), 'others')),
};

/** Each part of the shared data: what it is in, and its figures. */
const PARTS: readonly (readonly [name: string, figures: (path: string) => Promise<Record<string, number>>])[] = [
  ['ident', sharedTextFigures],
  ['pdfs', (folder) => pdfFigures(folder, 'pdfs')],
  ['pdfs-made', (folder) => pdfFigures(folder, 'pdfs-made')],
  ['lookup.dev.jsonl', lookupFigures],
  ['listings.dev.jsonl', listingFigures],
  ['citations.dev.jsonl', citationFigures],
  ['ident', (folder) => peerTextFigures(folder, values.peers === undefined ? null : resolve(values.peers))],
  ['pdfs', (folder) => peerPdfFigures(folder, 'pdfs')],
  ['pdfs-made', (folder) => peerPdfFigures(folder, 'pdfs-made')],
];
for (const [name, figures] of PARTS) {
  const path = join(data, name);
  if (existsSync(path)) {
    Object.assign(all, await figures(path));
    continue;
  }
  process.stderr.write(`eval: "${path}" is not there; name the folder of the data: --data DIR.\n`);
  if (values.data !== undefined) process.exitCode = 1;
}
for (const [name, value] of Object.entries(all))
  if (!name.endsWith('.n'))
    process.stdout.write(`${name.padEnd(40)}${String(Number(value.toFixed(4))).padEnd(8)} of ${all[`${name}.n`]}\n`);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(all, null, 2)}\n`);
