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
  const text =
    variant === 'better_format'
      ? {
          question: `${what} audio in the catalog already; ${one ? 'this file is' : 'these files are'} of better quality. Replace it?`,
          reasoning: change === null ? plain : `${change}. Nothing is overwritten without your word.`,
        }
      : variant === 'worse_format'
        ? {
            question: `${what} audio in the catalog already, and ${one ? 'this file is' : 'these files are'} not better. Replace it?`,
            reasoning: change === null ? plain : `It would be ${change}. Nothing is overwritten without your word.`,
          }
        : { question: `${what} audio in the catalog already. Replace it?`, reasoning: plain };
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
  const better = variant === 'better_format';
  const worse = variant === 'worse_format';
  const format: Reason[] =
    change === null ? [] : [{ kind: 'format', label: change, tone: better ? 'good' : worse ? 'bad' : 'neutral' }];
  const keep: MusicOption = {
    id: 'keep',
    label: 'Keep what is in the catalog',
    confidence: better ? 0.3 : worse ? 0.7 : 0.5,
    reasons: [KEEP],
  };
  const replace: MusicOption = {
    id: 'replace',
    label: 'Replace it',
    confidence: better ? 0.7 : worse ? 0.3 : 0.5,
    reasons: [...format, ASIDE],
  };
  return better ? [replace, keep] : [keep, replace];
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
