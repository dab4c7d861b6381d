/** The list of the form: entries of a manifest, which of them is shown, and what its keys do to them. Pure. */
import { webAddress } from '../lookup/plain.ts';
import type { DocumentRecord } from '#core/documents/record.ts';
import type { Manifest, ManifestEntry } from '#core/documents/manifest-form.ts';
import { manifestText, readManifest, withListings } from '../manifest/manifest.ts';
import { changesOf } from './changed-over.ts';
import { importListings, listedEntry } from './import-listings.ts';
import { listingOf } from './listing.ts';

export interface ListingsState {
  manifest: Manifest;
  /** Of the entry that is shown. */
  at: number;
}

/** As the form has it: texts of one entry, authors by semicolons, tags by commas. */
export interface EntryFields {
  title: string;
  authors: string;
  publication: string;
  date: string;
  doi: string;
  isbn: string;
  pdf_url: string;
  source_url: string;
  notes: string;
  tags: string;
}

export const NO_LISTINGS: ListingsState = { manifest: { version: 1, entries: [] }, at: 0 };

export const shownEntry = ({ manifest, at }: ListingsState): ManifestEntry | undefined => manifest.entries[at];

export function fieldsOf(entry: ManifestEntry): EntryFields {
  const { title, publication, date, year, doi, isbn, pdf_url, source_url, notes } = entry;
  return {
    ...{ title, publication, doi, isbn, pdf_url, source_url, notes },
    date: date || (year === null ? '' : `${year}`),
    authors: entry.authors.join('; '),
    tags: entry.tags.join(', '),
  };
}

const partsOf = (text: string, by: RegExp): string[] =>
  text
    .split(by)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Of `2019-13` the year alone would be kept. */
const isPartOf = (typed: string, kept: string): boolean => /^\d{4}-\d/.test(typed) && kept !== typed;

/** What of the fields is none, by name: it is not kept. */
export function faultsOf(fields: EntryFields): Partial<Record<keyof EntryFields, string>> {
  const kept = recordOf(fields);
  const lost = (name: 'doi' | 'isbn' | 'date' | 'pdf_url' | 'source_url'): boolean =>
    fields[name].trim() !== '' && kept[name] === '';
  return {
    ...(lost('doi') && { doi: 'That is no DOI.' }),
    ...(lost('isbn') && { isbn: 'That is no ISBN: its check digit is another one.' }),
    ...((lost('date') || isPartOf(fields.date.trim(), kept.date)) && {
      date: 'Write it as 2019, 2019-05 or 2019-05-03.',
    }),
    ...(lost('pdf_url') && { pdf_url: 'Only addresses with http or https.' }),
    ...(lost('source_url') && { source_url: 'Only addresses with http or https.' }),
  };
}

function recordOf(fields: EntryFields): DocumentRecord {
  const { title, publication, date, doi, isbn } = fields;
  const [pdf_url, source_url] = [webAddress(fields.pdf_url.trim()), webAddress(fields.source_url.trim())];
  const checked = listingOf({ kind: 'article', title, publication, date, doi, isbn });
  return {
    ...{ title: title.trim(), publication: publication.trim(), authors: partsOf(fields.authors, /;/) },
    ...{ date: checked.date, year: checked.year, doi: checked.doi, isbn: checked.isbn, pdf_url, source_url },
  };
}

/** The entry that is shown as the form has it now. `complete`: it needs nothing more, and the next open one is shown. */
export function saved(state: ListingsState, fields: EntryFields, complete = false): ListingsState {
  const entry = shownEntry(state);
  if (entry === undefined) return state;
  const mended = { ...entry, ...recordOf(fields), notes: fields.notes, tags: partsOf(fields.tags, /,/) };
  const next = { ...mended, processed: complete || entry.processed };
  const entries = state.manifest.entries.with(state.at, next);
  const at = complete ? nextOpen(entries, state.at) : state.at;
  return { manifest: { ...state.manifest, entries }, at };
}

/** The next that is not complete, from the start again where none is behind; else the same. */
function nextOpen(entries: readonly ManifestEntry[], at: number): number {
  const behind = entries.findIndex(({ processed }, i) => i > at && !processed);
  const first = behind >= 0 ? behind : entries.findIndex(({ processed }) => !processed);
  return first >= 0 ? first : at;
}

export function moved(state: ListingsState, by: 1 | -1): ListingsState {
  const last = Math.max(0, state.manifest.entries.length - 1);
  return { ...state, at: Math.min(last, Math.max(0, state.at + by)) };
}

export function withoutShown({ manifest, at }: ListingsState): ListingsState {
  const entries = manifest.entries.filter((_, i) => i !== at);
  return { manifest: { ...manifest, entries }, at: Math.max(0, Math.min(at, entries.length - 1)) };
}

/**
 * The list as it is kept now, for a page that has another: the same entry is shown, and what is typed stays.
 *
 * @param fields as the form has them; null: there is no entry
 */
export function takenOver(
  state: ListingsState,
  fields: EntryFields | null,
  kept: Manifest,
): { state: ListingsState; fields: EntryFields | null } {
  const shown = shownEntry(state);
  const found = kept.entries.findIndex(({ id }) => id === shown?.id);
  const next = { manifest: kept, at: found >= 0 ? found : Math.max(0, Math.min(state.at, kept.entries.length - 1)) };
  const entry = shownEntry(next);
  if (entry === undefined) return { state: next, fields: null };
  const typed = found < 0 || shown === undefined || fields === null ? {} : changesOf(fieldsOf(shown), fields);
  return { state: next, fields: { ...fieldsOf(entry), ...typed } };
}

export interface Imported {
  state: ListingsState;
  listed: number;
  fresh: number;
  /** A sentence, where there was nothing. */
  why: string | null;
}

/** Markup of results, rough XML, or a manifest; the first new entry is shown. Throws AccessionError `invalid`. */
export async function imported(state: ListingsState, text: string, now: string): Promise<Imported> {
  const isManifest = text.trimStart().startsWith('{');
  const { listings, why } = isManifest ? { listings: [], why: null } : importListings(text, null);
  const entries = isManifest
    ? readManifest(text, 'What was pasted', 'Nothing was imported: mend it, and press Run import again.').entries
    : await Promise.all(listings.map((listing) => listedEntry(listing, now)));
  const before = state.manifest.entries.length;
  const manifest = withListings(state.manifest, entries);
  const fresh = manifest.entries.length - before;
  return { state: { manifest, at: fresh > 0 ? before : state.at }, listed: entries.length, fresh, why };
}

export const listingsText = ({ manifest }: ListingsState): string => manifestText(manifest);
