/** Records of the manifest in forms that other programs read. */
import { cslItemOf } from '../cite/csl-item.ts';
import { tokenOf } from '../cite/tokens.ts';
import type { ManifestEntry } from '#core/documents/manifest-form.ts';
import { bibtexOf } from './bibtex.ts';
import { citeKeys } from './cite-keys.ts';
import { risOf } from './ris.ts';

export const EXPORT_FORMATS = ['csv', 'ndjson', 'bibtex', 'ris', 'csl-json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What a browser calls it, and how its file ends. */
export const EXPORT_FILES: Readonly<Record<ExportFormat, { type: string; ending: string }>> = {
  csv: { type: 'text/csv', ending: '.csv' },
  ndjson: { type: 'application/x-ndjson', ending: '.ndjson' },
  bibtex: { type: 'application/x-bibtex', ending: '.bib' },
  ris: { type: 'application/x-research-info-systems', ending: '.ris' },
  'csl-json': { type: 'application/vnd.citationstyles.csl+json', ending: '.json' },
};

/** In the order of the entries. */
export function exportRecords(entries: readonly ManifestEntry[], format: ExportFormat): string {
  if (format === 'csv') return csvOf(entries);
  if (format === 'ndjson') return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  if (format === 'ris') return entries.map(risOf).join('');
  const keys = citeKeys(entries);
  if (format === 'bibtex') return entries.map((entry, i) => bibtexOf(entry, keys[i] ?? '')).join('\n');
  return `${JSON.stringify(
    entries.map((entry, i) => cslItemOf(entry, keys[i] ?? '')),
    null,
    2,
  )}\n`;
}

const COLUMNS = [
  'id',
  'filename',
  'title',
  'authors',
  'publication',
  'date',
  'year',
  'doi',
  'isbn',
  'pdf_url',
  'source_url',
  'processed',
  'retrieved_at',
  'notes',
  'tags',
] as const;

/** As RFC 4180 has it; authors and tags by semicolons, and beside them the token that cites the record. */
function csvOf(entries: readonly ManifestEntry[]): string {
  const rows = entries.map((entry) => [
    ...COLUMNS.map((column) => {
      const value = entry[column];
      return Array.isArray(value) ? value.join('; ') : value === null ? '' : String(value);
    }),
    tokenOf(entry) ?? '',
  ]);
  return [[...COLUMNS, 'token'], ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

/** A spreadsheet would take some beginnings for a formula; an apostrophe keeps it from that. */
function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
