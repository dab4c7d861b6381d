/** Types of faults, tools and ends of runs in words. */
import type { FaultType, Gates, RunRecord } from '../client.ts';

export const TYPES: Readonly<Record<FaultType, { name: string; short: string }>> = {
  METADATA_LOOKUP_FAILURE: { name: 'Look-up failed', short: 'look-up' },
  EPISODE_NUM_MISSING: { name: 'No episode number', short: 'no number' },
  MOVIE_YEAR_MISSING: { name: 'Film without a year', short: 'no year' },
  PLACEHOLDER_TITLE: { name: 'Title that says nothing', short: 'no title' },
  XMLTV_VALIDATION_ERROR: { name: 'Form of the guide', short: 'form' },
  LINEUP_MISMATCH: { name: 'Lineup', short: 'lineup' },
};
export const TYPE_LIST = Object.keys(TYPES) as FaultType[];

export const TOOLS: Readonly<Record<string, string>> = {
  rebuild_xmltv: 'Mended form and schedules',
  refresh_plex_metadata: 'Brought copies up to date',
  reparse_filename_metadata: 'Read names and texts again',
  re_enrich_metadata: 'Looked up elsewhere',
  fetch_metadata_logs: 'Read the last failures',
};

export const FIELDS: Readonly<Record<string, string>> = {
  ...{ title: 'Title', 'sub-title': 'Sub-title', desc: 'Description', 'episode-num': 'Episode number', date: 'Year' },
  ...{ category: 'Category', start: 'Start', stop: 'Stop', times: 'Zone of its times', order: 'Order of its parts' },
  ...{ channel: 'Channel', EpgId: 'Channel of the lineup', GuideNumber: 'Number', schedule: 'Schedule' },
  ...{ declared: 'Channel', entry: 'Lineup', 'left out': 'Lineup' },
};
export const fieldName = (field: string): string => FIELDS[field] ?? field;

/** XMLTV's `1.4.` as a person counts. */
export function valueWords(field: string, value: string | null): string {
  if (value === null || value === '') return 'nothing';
  const number = field === 'episode-num' ? /^\s*(\d*)\s*\.\s*(\d+)\s*\./.exec(value) : null;
  if (number !== null) return `${number[1] === '' ? '' : `S${Number(number[1]) + 1} `}E${Number(number[2]) + 1}`;
  const time =
    field === 'start' || field === 'stop' || field === 'times' ? /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)/.exec(value) : null;
  if (time !== null && value.includes('+0000')) return `${time[1]}-${time[2]}-${time[3]} ${time[4]}:${time[5]} UTC`;
  return value;
}

const HOW = { demand: 'By hand', ask: 'A question', import: 'A guide came in', schedule: 'By itself' } as const;
export const howWords = ({ how }: Pick<RunRecord, 'how'>): string => HOW[how];

const SKIPPED = {
  disabled: 'mending is switched off',
  recursion: 'a run caused it',
  active: 'another run was under way',
  suspended: 'three runs in a row had changed nothing',
  cooldown: 'the last run was too short a time ago',
} as const;
const REASONS = {
  containment: 'containment is on',
  velocity: 'too many restarts within a minute',
  pool: 'the workers are busy',
  circuit: 'look-ups fail and rest',
  interrupted: 'it was interrupted',
  error: 'something broke',
} as const;

/** How it ended, with the reason where there is one. */
export function endWords(record: RunRecord): string {
  if (record.outcome === 'skipped') return `Did not begin: ${SKIPPED[record.reason]}.`;
  const why = record.reason === null ? '' : `: ${REASONS[record.reason]}`;
  const words = { success: 'Success', failure: 'Not enough', aborted: 'Stopped' } as const;
  return `${words[record.outcome]}${why}`;
}

/** Why no run begins, for the gate; `left`: milliseconds. */
export function gateWords({ reason }: Gates, left: number | null): string {
  const again = left === null ? '' : ` Again in ${clock(left)}.`;
  switch (reason) {
    case null:
      return 'A run may begin.';
    case 'disabled':
      return 'Mending is switched off.';
    case 'active':
      return 'A run is under way.';
    case 'suspended':
      return `Three runs in a row changed nothing: it rests.${again}`;
    default:
      return `The last run is a short time ago.${again}`;
  }
}

/** `3:12`, `1:03:12`. */
export function clock(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (number: number): string => String(number).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
