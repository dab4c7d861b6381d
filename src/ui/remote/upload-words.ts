/** What is said of files that were sent to the server, and of this browser's part in them. */
import type { UploadsState } from '../client/db.ts';
import { moment, plural } from '../parts/words.ts';

const WHY_NOT: Record<NonNullable<UploadsState['why_not']>, string> = {
  off: 'Switched off: other browsers and headless workers do it.',
  saving: 'This browser is set to save data: others do it.',
  resting: 'Left to others for now.',
  paused: 'Work is paused; it goes on with the rest.',
  offline: 'Waits for the server.',
  loading: 'Waits for the offline copy of the catalog.',
  not_allowed: 'What this browser is signed in with does not allow it.',
  busy: 'Your own files come first.',
};

/** `This browser works on "Album" of Ann: converting 03 - Third.flac, 2 of 12 files done`. */
export function workedOn({ label, user, progress }: NonNullable<UploadsState['current']>): string {
  const what = `This browser works on "${label}" of ${user}`;
  if (progress === null) return what;
  const { doing, name, done, total } = progress;
  const words = doing === 'asking' ? 'asking the model' : doing;
  const now = name === '' ? words : `${words} ${name}`;
  return `${what}: ${now}${total === 0 ? '' : `, ${done} of ${plural(total, 'file')} done`}`;
}

/** Why this browser works on nothing now. `rest`: until when a person left uploads to others, epoch milliseconds. */
export function idleWords({ why_not }: Pick<UploadsState, 'why_not'>, rest: number): string {
  if (why_not === null) return 'Nothing waits for this browser.';
  return why_not === 'resting' ? `Left to others until ${moment(rest)}.` : WHY_NOT[why_not];
}

/** What became of the last upload; '' where there was none. */
export function lastWords({ last }: Pick<UploadsState, 'last'>): string {
  if (last === null) return '';
  const end = last.trouble === null ? 'done for now' : `given back (${last.trouble})`;
  return `Last: "${last.label}", ${end}, ${moment(last.at)}`;
}
