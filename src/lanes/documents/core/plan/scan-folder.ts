/** The PDFs of a folder, each with what is proposed for it. Nothing is written. */
import { AccessionError, messageOf } from '#core/errors.ts';
import type { FileTree, TreeEntry } from '#core/plan/file-tree.ts';
import { parentsOf } from '#core/plan/plan-path.ts';
import { contentOf, sha256Of } from '#core/plan/replace-content.ts';
import type { Cancel } from '#core/ports.ts';
import type { Lookup } from '../lookup/lookup.ts';
import type { Identifier } from '../lookup/source.ts';
import type { IdentifiedPdf } from '../pdf/identify-pdf.ts';
import { whyNotWritable } from '../write/writable.ts';
import { isTrash } from './document-plan.ts';
import { proposalOf, type Proposal } from './propose.ts';

export interface ScannedFile {
  /** Below the folder. */
  path: string;
  size: number;
  modified: number;
  /** SHA-256 of it as it first came. */
  id: string;
  proposal: Proposal;
  /** Null: it may be written into. */
  whyNot: string | null;
}

export interface ScanOptions {
  /** Folders in each other, from the folder on; null: all. */
  depth: number | null;
  /** The id of a content. */
  idOf: (sha256: string) => string;
  /** Ids of documents that are left out. */
  done: ReadonlySet<string>;
  cancel: Cancel;
  /** Throws AccessionError where the PDF cannot be read. */
  identify: (bytes: Uint8Array, cancel: Cancel) => Promise<IdentifiedPdf>;
}

/** Everything that is in the folder, by name. */
export async function entriesOf(tree: FileTree, cancel: Cancel): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  for await (const entry of tree.list(cancel)) entries.push(entry);
  return entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** One file after the other: what cannot be read is `unknown` with the reason. */
export async function* scanned(
  tree: FileTree,
  entries: readonly TreeEntry[],
  lookup: Lookup,
  { depth, idOf, done, cancel, identify }: ScanOptions,
): AsyncGenerator<ScannedFile> {
  for (const { path, kind, size, modified } of entries) {
    if (cancel.aborted) return;
    if (kind !== 'file' || !/\.pdf$/i.test(path) || isTrash(path)) continue;
    if (depth !== null && parentsOf(path).length > depth) continue;
    const bytes = await contentOf(tree, path);
    const id = idOf(await sha256Of(bytes));
    if (done.has(id)) continue;
    const proposal = await proposed(bytes, lookup, cancel, identify);
    yield { path, size, modified, id, proposal, whyNot: whyNotWritable(bytes) };
  }
}

async function proposed(
  bytes: Uint8Array,
  lookup: Lookup,
  cancel: Cancel,
  identify: ScanOptions['identify'],
): Promise<Proposal> {
  try {
    const identified = await identify(bytes, cancel);
    const asked = askedFor(identified);
    return proposalOf(identified, asked === null ? null : await lookup.find(asked));
  } catch (error) {
    if (error instanceof AccessionError && error.failure.code === 'cancelled') throw error;
    const reason = error instanceof AccessionError ? error.failure.message : messageOf(error);
    return { sure: 'unknown', record: null, source: null, reasons: [reason] };
  }
}

/** What is looked up. A DOI goes before a number of arXiv: the published version before the preprint that says so. */
export function askedFor({ doi, arxiv, isbn: [isbn] }: IdentifiedPdf): Identifier | null {
  if (doi !== null) return { kind: 'doi', value: doi };
  if (arxiv !== null) return { kind: 'arxiv', value: arxiv };
  return isbn === undefined ? null : { kind: 'isbn', value: isbn };
}
