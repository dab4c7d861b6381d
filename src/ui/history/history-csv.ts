/** Finished jobs as a table for a spreadsheet. */
import type { Job } from '#core/job/job.ts';
import { csvOf } from '#core/text/csv.ts';
import { rowWords } from '../ingest/job-words.ts';

type Cell = string | number | null | undefined;

const COLUMNS: readonly (readonly [name: string, cell: (job: Job) => Cell])[] = [
  ['file', ({ path }) => path],
  ['ended', (job) => rowWords(job, false)],
  ['finished_at', ({ completed_at }) => timeOf(completed_at)],
  ['taken_in_at', ({ created_at }) => timeOf(created_at)],
  ['title', ({ matched_title }) => matched_title],
  ['album', ({ matched_album }) => matched_album],
  ['track_id', ({ matched_track_id }) => matched_track_id],
  ['confidence', ({ match_confidence }) => match_confidence],
  ['decided_by', ({ match_source }) => (match_source === null ? null : DECIDED_BY[match_source])],
  ['published_as', ({ output_file_path }) => output_file_path],
  ['bytes', ({ file_size_bytes }) => file_size_bytes],
  ['duration_ms', ({ duration_ms }) => duration_ms],
  ['codec', ({ codec }) => codec],
  ['sha256', ({ sha256 }) => sha256],
  ['why', ({ error_message, duplicate_reason }) => error_message ?? duplicate_reason],
];

const DECIDED_BY = { AGENT: 'rules or model', HUMAN_REVIEW: 'a person' } as const;

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** The header and a line for each. Times are UTC. */
export function historyCsv(jobs: readonly Job[]): string {
  return csvOf([
    COLUMNS.map(([name]) => name),
    ...jobs.map((job) => COLUMNS.map(([, cell]) => String(cell(job) ?? ''))),
  ]);
}
