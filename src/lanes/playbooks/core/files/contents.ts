/** What a file holds (PB-21), and how records are written (PB-31). */
import { exceedsBytes } from '#core/utf8.ts';
import { PlaybookFault } from '../faults.ts';
import { isMapping, printed, type Value } from '../value.ts';
import { readYaml } from '../read/yaml.ts';
import { readDelimited, writeCsv } from './csv.ts';
import { nameParts } from './paths.ts';

/** Bytes of one file. */
export const MOST_FILE = 64 * 1024 * 1024;
/** Throws PlaybookFault `too_large`. */
export function checkSize(path: string, text: string): void {
  if (exceedsBytes(text, MOST_FILE)) throw new PlaybookFault('too_large', path, `"${path}" is larger than 64 MiB.`);
}

/** Bytes of a YAML file that is an input. */
const MOST_YAML = 1024 * 1024;

const damaged = (path: string, why: string): PlaybookFault =>
  new PlaybookFault('input_damaged', path, `"${path}" is damaged: ${why}.`);

const READ_TYPES = ['json', 'jsonl', 'ndjson', 'csv', 'tsv', 'yaml', 'yml', 'md', 'txt'];

/** Throws PlaybookFault `input_type`. */
export function checkInputType(path: string): void {
  if (READ_TYPES.includes(nameParts(path).ext.toLowerCase())) return;
  throw new PlaybookFault('input_type', path, `"${path}" is of a kind that a playbook does not read.`);
}

/** `said`: its text; null where it is no UTF-8. Throws PlaybookFault: `input_type`, `input_damaged`. */
export function readContent(path: string, said: string | null): Value {
  checkInputType(path);
  if (said === null) throw damaged(path, 'it is not UTF-8');
  const text = said.replace(/^\uFEFF/, '');
  const ext = nameParts(path).ext.toLowerCase();
  switch (ext) {
    case 'json':
      return json(path, text);
    case 'jsonl':
    case 'ndjson':
      return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [json(path, line)]));
    case 'csv':
      return readDelimited(text, ',', path);
    case 'tsv':
      return readDelimited(text, '\t', path);
    case 'yaml':
    case 'yml': {
      const read = readYaml(text, MOST_YAML);
      if (!read.ok) throw damaged(path, read.fault.message);
      return read.value;
    }
    default:
      return text;
  }
}

function json(path: string, text: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch (error) {
    throw damaged(path, error instanceof Error ? error.message : 'it is no JSON');
  }
}

const WRITE_TYPES = ['json', 'jsonl', 'csv', 'md', 'txt'] as const;
export type OutputType = (typeof WRITE_TYPES)[number];

/** Throws PlaybookFault `output_type`. */
export function outputType(path: string): OutputType {
  const { ext } = nameParts(path);
  const type = WRITE_TYPES.find((one) => one === ext);
  if (type === undefined) throw new PlaybookFault('output_type', path, `"${path}" is of a kind that is not written.`);
  return type;
}

/** The whole file. */
export function writeRecords(type: OutputType, records: readonly Value[]): string {
  switch (type) {
    case 'json':
      return `${JSON.stringify(records, null, 2)}\n`;
    case 'jsonl':
      return records.map(recordLine).join('');
    case 'csv':
      return writeCsv(records);
    default:
      return records.length === 0 ? '' : `${records.map(recordText).join('\n\n')}\n`;
  }
}

/** A record of a file that is written line by line. */
export const recordLine = (record: Value): string => `${JSON.stringify(record)}\n`;

const recordText = (record: Value): string =>
  (isMapping(record) ? JSON.stringify(record) : printed(record)).replace(/\r\n?/g, '\n');
