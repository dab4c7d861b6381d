/** Listings out of pasted or saved markup: a page of Google Scholar or rough XML. */
import { createSHA256 } from 'hash-wasm';
import { canonical } from '#core/agent/tools/tool.ts';
import type { ManifestEntry } from '#core/documents/manifest-form.ts';
import type { Listing } from './listing.ts';
import { parseRoughXml } from './rough-xml.ts';
import { parseScholarPage } from './scholar-page.ts';

export type ListingForm = 'scholar' | 'xml';

export interface ImportedListings {
  listings: Listing[];
  /** A sentence for a person, where there are none. */
  why: string | null;
}

/** @param form how it is written; null: as it looks */
export function importListings(text: string, form: ListingForm | null): ImportedListings {
  const isXml =
    form === null ? !/\bgs_(?:r|rt|ri|a)\b/.test(text) && /<(?:article|book)[\s>/]/i.test(text) : form === 'xml';
  const listings = isXml ? parseRoughXml(text) : parseScholarPage(text);
  return { listings, why: listings.length > 0 ? null : whyNone(text, isXml) };
}

const CAPTCHA = /captcha|not a robot|unusual traffic|kein roboter|n'êtes pas un robot|no eres un robot/i;

function whyNone(text: string, isXml: boolean): string {
  if (text.trim() === '') return 'There is no text.';
  if (!isXml && CAPTCHA.test(text))
    return 'This is the page on which Google asks whether you are a robot, and has no results: answer it in the browser, then save the page of results.';
  return isXml ? 'No <article> or <book> in it says anything.' : 'No result of Google Scholar stands on this page.';
}

/** As the manifest keeps it: one that has no file yet. Its id is that of what is listed, so that it is listed once. */
export async function listedEntry({ kind, ...record }: Listing, importedAt: string): Promise<ManifestEntry> {
  const { doi, isbn, title, authors, year } = record;
  const said = doi !== '' ? { doi } : isbn !== '' ? { isbn } : { kind, title, authors, year };
  const id = `listing-${(await createSHA256()).update(canonical(said)).digest('hex')}`;
  return { id, filename: '', ...record, kind, processed: false, retrieved_at: importedAt, notes: '', tags: [] };
}
