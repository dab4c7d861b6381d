/** REVIEW-24: the catalog has audio for these tracks already; whether the new file is better decides what is offered first. */
import type { Track } from '../catalog.ts';
import type { Reason } from '#core/job/reason.ts';
import type { GroupMatch } from '../match/match.types.ts';
import { formatName, isBetter, type AudioFormat } from '../publish/format-order.ts';
import type { Question, QuestionItem } from './questions.ts';
import type { MusicOption, MusicReview } from '../types.ts';

export interface PresentItem extends QuestionItem {
  track: Track;
}

/** `present`: what the tracks' audio was made from, where a job that published it is known here. */
export function replaceQuestion(
  group: GroupMatch,
  items: PresentItem[],
  present: ReadonlyMap<string, AudioFormat> = new Map(),
): Question {
  const [first] = items;
  const one = items.length === 1 && first !== undefined;
  const what = one ? `"${first.track.title}" has` : `${items.length} of these tracks have`;
  const compared = items.map(({ job, track }) => {
    const there = present.get(track.id);
    return { job, there, better: there ? isBetter(job, there) : null };
  });
  const variant = formatVariant(compared.map(({ better }) => better));
  const change = changeOf(compared);
  const plain = `${what} been published before from another file, so nothing is overwritten without your word.`;
  const these = one ? 'this file is' : 'these files are';
  const [how, would] =
    variant === 'better_format'
      ? [`; ${these} of better quality`, change]
      : variant === 'worse_format'
        ? [`, and ${these} not better`, change && `It would be ${change}`]
        : ['', null];
  const text = {
    question: `${what} audio in the catalog already${how}. Replace it?`,
    reasoning: would === null ? plain : `${would}. Nothing is overwritten without your word.`,
  };
  return {
    kind: 'replace',
    group,
    items,
    text: variant === null ? text : { ...text, variant },
    options: replaceOptions(variant, change),
  };
}

const KEEP: Reason = { kind: 'present', label: 'already available', tone: 'neutral' };
const ASIDE: Reason = { kind: 'replace', label: 'the former file is kept aside', tone: 'neutral' };

/** Keep what is there, or replace it; what is likelier to be right first. `change`: `FLAC instead of MP3`. */
export function replaceOptions(
  variant: MusicReview['variant'] | null = null,
  change: string | null = null,
): MusicOption[] {
  const [kept, replaced, tone]: [number, number, Reason['tone']] =
    variant === 'better_format'
      ? [0.3, 0.7, 'good']
      : variant === 'worse_format'
        ? [0.7, 0.3, 'bad']
        : [0.5, 0.5, 'neutral'];
  const format: Reason[] = change === null ? [] : [{ kind: 'format', label: change, tone }];
  const keep = { id: 'keep', label: 'Keep what is in the catalog', confidence: kept, reasons: [KEEP] };
  const replace = { id: 'replace', label: 'Replace it', confidence: replaced, reasons: [...format, ASIDE] };
  return replaced > kept ? [replace, keep] : [keep, replace];
}

/** All better, or none: else the question is a plain one. */
function formatVariant(better: readonly (boolean | null)[]): 'better_format' | 'worse_format' | null {
  if (better.every((one) => one === true)) return 'better_format';
  return better.every((one) => one === false) ? 'worse_format' : null;
}

/** `FLAC 912 kbit/s instead of MP3 128 kbit/s`: of one file with its rates, of several by their codecs. */
function changeOf(compared: readonly { job: AudioFormat; there: AudioFormat | undefined }[]): string | null {
  if (compared.some(({ there }) => there === undefined)) return null;
  const [first] = compared;
  if (compared.length === 1 && first?.there) return `${formatName(first.job)} instead of ${formatName(first.there)}`;
  const names = (formats: readonly (AudioFormat | undefined)[]): string =>
    [...new Set(formats.flatMap((format) => format?.codec ?? []))].sort().join(' and ');
  const [mine, theirs] = [names(compared.map(({ job }) => job)), names(compared.map(({ there }) => there))];
  return mine === '' || theirs === '' || mine === theirs ? null : `${mine} instead of ${theirs}`;
}
