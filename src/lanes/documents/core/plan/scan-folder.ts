/** The PDFs of a folder, each with what is proposed for it. Nothing is written. */
import { AccessionError, messageOf } from '#core/errors.ts';
import type { FileTree, TreeEntry } from '#core/plan/file-tree.ts';
import { LockedPdf } from '#core/ingest/pdf.ts';
import { parentsOf } from '#core/plan/plan-path.ts';
import { contentOf, hashOf, sha256Of } from '#core/plan/replace-content.ts';
import type { Cancel } from '#core/ports.ts';
import type { Lookup } from '../lookup/lookup.ts';
import type { Identifier } from '../lookup/source.ts';
import type { IdentifiedPdf } from '../pdf/identify-pdf.ts';
import { identifyWritten } from '../written/identify-written.ts';
import { documentsAmong, formOf, isPdfPath, NOT_WRITTEN } from '../written/written-file.ts';
import { whyNotWritable } from '../write/writable.ts';
import { isTrash } from './document-plan.ts';
import { EMPTY_RECORD, type DocumentRecord } from '#core/documents/record.ts';
import { askedOfAll, choicesOf, identifiedAs, type Choice } from './open-readings.ts';
import { proposalOf, withChoices, withOwnRecord, type Proposal } from './propose.ts';

export interface ScannedFile {
  /** Below the folder. */
  path: string;
  size: number;
  modified: number;
  /** SHA-256 of it as it first came. */
  id: string;
  proposal: Proposal;
  /** What it says of itself now. */
  own: DocumentRecord;
  /** Null: it could not be read. */
  identified: IdentifiedPdf | null;
  /** What it may be, each as it is registered, where nothing tells which. */
  choices: readonly Choice[];
  /** Null: it may be written into. */
  whyNot: string | null;
  /** It opens with a password alone. */
  locked: boolean;
}

export interface ScanOptions {
  /** Folders in each other, from the folder on; null: all. */
  depth: number | null;
  /** The id of a content. */
  idOf: (sha256: string) => string;
  /** Ids of documents that are left out. */
  done: ReadonlySet<string>;
  cancel: Cancel;
  /** Which files, besides their ending; null: all. */
  matches?: ((path: string) => boolean) | null;
  /** So many documents are read and looked up at a time. */
  jobs?: number;
  /** A text file whose encoding nobody wrote down. */
  decode: (bytes: Uint8Array) => string;
  /** Throws AccessionError where the PDF cannot be read. */
  identify: (
    bytes: Uint8Array,
    cancel: Cancel,
    password?: string,
  ) => Promise<{ identified: IdentifiedPdf; own: DocumentRecord }>;
}

type Reading = Pick<ScanOptions, 'idOf' | 'done' | 'cancel' | 'identify' | 'decode'> & { password?: string };

/** Everything that is in the folder, by name. */
export async function entriesOf(tree: FileTree, cancel: Cancel): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  for await (const entry of tree.list(cancel)) entries.push(entry);
  return entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** In the order of the entries: what cannot be read is `unknown` with the reason. */
export async function* scanned(
  tree: FileTree,
  entries: readonly TreeEntry[],
  lookup: Lookup,
  options: ScanOptions,
): AsyncGenerator<ScannedFile> {
  const { depth, cancel, matches = null, jobs = 1 } = options;
  const documents = documentsAmong(entries.filter(({ kind }) => kind === 'file')).filter(
    ({ path }) =>
      !isTrash(path) && (depth === null || parentsOf(path).length <= depth) && (matches === null || matches(path)),
  );
  const begun: Promise<ScannedFile | null | { error: unknown }>[] = [];
  for (let next = 0; next < documents.length || begun.length > 0;) {
    if (cancel.aborted) return;
    for (; begun.length < jobs; next++) {
      const entry = documents[next];
      if (entry === undefined) break;
      begun.push(scanOne(entry, tree, lookup, options).catch((error: unknown) => ({ error })));
    }
    const found = await begun.shift();
    if (found === undefined || found === null) continue;
    if ('error' in found) throw found.error;
    yield found;
  }
}

/** Bytes: what is larger is not held in memory. */
export const LARGEST = 500_000_000;

const tooLarge = (): Proposal => {
  const reason = `It is larger than ${LARGEST / 1_000_000} MB.`;
  return { sure: 'unknown', record: null, source: null, reasons: [reason] };
};

/** Null: it is left out. */
async function scanOne(
  { path, size, modified }: TreeEntry,
  tree: FileTree,
  lookup: Lookup,
  { idOf, done, cancel, identify, decode, password }: Reading,
): Promise<ScannedFile | null> {
  const bytes = size > LARGEST ? null : await contentOf(tree, path);
  const id = idOf(bytes === null ? await hashOf(tree, path) : await sha256Of(bytes));
  if (done.has(id)) return null;
  const file = { path, size, modified, id, locked: false, choices: [] };
  if (bytes === null)
    return { ...file, identified: null, own: EMPTY_RECORD, proposal: tooLarge(), whyNot: 'it is too large' };
  const form = isPdfPath(path) ? null : formOf(path);
  const whyNot = form === null ? whyNotWritable(bytes) : NOT_WRITTEN;
  try {
    const read = form === null ? await identify(bytes, cancel, password) : identifyWritten(decode(bytes), form);
    const { identified, own } = read;
    // Some other file that lies there.
    if (form !== null && askedFor(identified) === null && choicesOf(identified).length === 0) return null;
    const chosen = await chosenOf(identified, lookup);
    const proposal = await proposed(chosen.identified, own, askedFor(chosen.identified), lookup);
    const { choices } = chosen;
    return { ...file, identified: chosen.identified, choices, own, proposal: withChoices(proposal, choices), whyNot };
  } catch (error) {
    if (error instanceof AccessionError && error.failure.code === 'cancelled') throw error;
    const reason = error instanceof AccessionError ? error.failure.message : messageOf(error);
    const proposal: Proposal = { sure: 'unknown', record: null, source: null, reasons: [reason] };
    return { ...file, identified: null, own: EMPTY_RECORD, proposal, whyNot, locked: error instanceof LockedPdf };
  }
}

/** The same document, opened with this password; still `locked` where that is not its own. */
export async function unlocked(
  file: ScannedFile,
  password: string,
  { tree, lookup, ...reading }: Reading & { tree: FileTree; lookup: Lookup },
): Promise<ScannedFile> {
  const entry: TreeEntry = { ...file, kind: 'file' };
  return (await scanOne(entry, tree, lookup, { ...reading, done: new Set(), password })) ?? file;
}

async function proposed(
  identified: IdentifiedPdf,
  own: DocumentRecord,
  asked: Identifier | null,
  lookup: Lookup,
): Promise<Proposal> {
  const answer = asked === null ? null : await lookup.find(asked);
  return withOwnRecord(proposalOf(identified, answer), own, identified, answer);
}

/** Where nothing in it tells which it is, the registered title on its first pages does. */
async function chosenOf(
  identified: IdentifiedPdf,
  lookup: Lookup,
): Promise<{ identified: IdentifiedPdf; choices: readonly Choice[] }> {
  const open = choicesOf(identified);
  if (open.length === 0) return { identified, choices: [] };
  const { own, choices } = await askedOfAll(identified, open, lookup);
  return own === null ? { identified, choices } : { identified: identifiedAs(identified, own), choices: [] };
}

const NOTHING: IdentifiedPdf = {
  doi: null,
  arxiv: null,
  isbn: [],
  evidence: [],
  readings: [],
  hasText: true,
  front: '',
};

/** The document as what a person says that it is. Throws AccessionError `invalid` for what is no identifier. */
export async function askedAgain(file: ScannedFile, asked: Identifier, lookup: Lookup): Promise<ScannedFile> {
  const identified = identifiedAs(file.identified ?? NOTHING, asked);
  return { ...file, identified, choices: [], proposal: await proposed(identified, file.own, asked, lookup) };
}

/** What is looked up. A DOI goes before a number of arXiv: the published version before the preprint that says so. */
export function askedFor({ doi, arxiv, isbn: [isbn] }: IdentifiedPdf): Identifier | null {
  if (doi !== null) return { kind: 'doi', value: doi };
  if (arxiv !== null) return { kind: 'arxiv', value: arxiv };
  return isbn === undefined ? null : { kind: 'isbn', value: isbn };
}
