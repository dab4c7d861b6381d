/** One question for files of one album that are in the same doubt, where a person would be asked about each. */
import type { Reason } from '#core/job/reason.ts';
import type { FileMatch, TrackOption } from '../match/match.types.ts';
import { clock } from '#core/text/duration.ts';
import type { Phrase } from './phrase.ts';
import { toneFrom } from '../match/reasons.ts';
import type { Question, QuestionItem } from './questions.ts';
import type { ReviewAdvice } from '#core/job/review.ts';
import type { MusicOption, MusicReview } from '../types.ts';

/** Doubts beyond these are in the trace. */
const MOST_DOUBTS = 2;

/** Vetoes of a file by kind, sorted: files of the same are in the same doubt. `''`: nothing but too little evidence. */
function doubtKinds(file: FileMatch): string {
  return [...new Set((file.why?.vetoes ?? []).map(({ kind }) => kind))].sort().join(' ');
}

/** REVIEW-21: `their lengths are 4 to 9 s longer than in the catalog`; no final stop. */
export function doubtOf(files: readonly FileMatch[]): string {
  const kinds = [...new Set(files.flatMap((file) => (file.why?.vetoes ?? []).map(({ kind }) => kind)))];
  const phrases = kinds.map((kind) => SAID[kind]?.(files) ?? labelsOf(files, kind));
  const distinct = [...new Set(phrases)].slice(0, MOST_DOUBTS);
  return distinct.length === 0 ? 'the evidence is not enough to be sure' : distinct.join(', and ');
}

const SAID: Readonly<Record<string, (files: readonly FileMatch[]) => string>> = {
  length: lengthsOff,
  recording: () => 'their lengths differ throughout, as those of another recording do',
  untimed: () => 'there is no length to compare',
  artist: () => 'they name another artist',
  version: versions,
  twin: () => 'another album fits as well',
  title: () => "their titles differ from the catalog's",
  lengths_alone: () => 'nothing but their lengths speaks for it',
  other_album: () => 'they name another album',
  rival: () => 'another free track fits as well',
  alone: () => 'nothing but their titles speaks for it',
  compilation: () => 'the catalog has it on a compilation alone, which nothing names',
};

function lengthsOff(files: readonly FileMatch[]): string {
  const offs = files.flatMap((file) => file.why?.pair.off ?? []);
  const sizes = offs.map((off) => Math.round(Math.abs(off)));
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const range = least === most ? `${most} s` : `${least} to ${most} s`;
  if (offs.every((off) => off > 0)) return `their lengths are ${range} longer than in the catalog`;
  if (offs.every((off) => off < 0)) return `their lengths are ${range} shorter than in the catalog`;
  return `their lengths are off by ${range}`;
}

function versions(files: readonly FileMatch[]): string {
  const extra = [...new Set(files.flatMap((file) => file.why?.pair.version_extra ?? []))];
  if (extra.length > 0) return `they say ${extra.join(', ')}, the catalog does not`;
  const missing = [...new Set(files.flatMap((file) => file.why?.pair.version_missing ?? []))];
  return `the catalog says ${missing.join(', ')}, they do not`;
}

function labelsOf(files: readonly FileMatch[], kind: string): string {
  const labels = files.flatMap((file) => (file.why?.vetoes ?? []).filter((veto) => veto.kind === kind));
  return [...new Set(labels.map(({ label }) => label))].slice(0, MOST_DOUBTS).join(', ');
}

/** What a person is about to be asked, with what the agent made of it. */
export interface PersonsTurn {
  question: Question;
  advice: ReviewAdvice | null;
}

export interface TogetherRules {
  /** Jobs that a person wants to be asked about one by one. */
  apart: ReadonlySet<string>;
  openReviews: readonly MusicReview[];
}

/** The track that `accept` would take for a file: the assigned one, as it is offered. */
export function proposedOf(file: FileMatch): TrackOption | null {
  return file.options.find((option) => option.track_id === file.track_id) ?? null;
}

/**
 * REVIEW-21: questions about single tracks that are of one album, with the same vetoes, become one of kind `tracks` in
 * the place of their first. What the agent would answer differently, what a person wants apart and what they took back
 * is asked by itself.
 */
export function askTogether<T extends PersonsTurn>(turns: readonly T[], rules: TogetherRules): T[] {
  const sets = new Map<string, T[]>();
  for (const turn of turns) {
    const key = keyOf(turn, rules);
    if (key !== null) sets.set(key, [...(sets.get(key) ?? []), turn]);
  }
  return turns.flatMap((turn): T[] => {
    const set = sets.get(keyOf(turn, rules) ?? '') ?? [];
    if (set.length < 2) return [turn];
    if (set[0] !== turn) return [];
    const items = set.flatMap(({ question }) => question.items);
    return [{ ...turn, question: tracksQuestion(turn.question.group, items), advice: adviceOf(set) }];
  });
}

/** Questions of the same key are asked as one; null: by itself. */
function keyOf({ question, advice }: PersonsTurn, rules: TogetherRules): string | null {
  const [item] = question.items;
  if (question.kind !== 'track' || !item || question.items.length !== 1) return null;
  const { verdict } = question.group;
  const proposed = proposedOf(item.file);
  // Without an explanation (rows from before 0.3) nobody knows whether the doubts are the same.
  if (!proposed || !item.file.why || rules.apart.has(item.job.id)) return null;
  if (verdict !== 'matched' && verdict !== 'loose') return null;
  if (advice && advice.option_id !== null && advice.option_id !== `track:${proposed.track_id}`) return null;
  const standing = rules.openReviews.find((one) => one.kind === 'tracks' && one.job_ids.includes(item.job.id));
  // What was taken back is asked as it was asked then.
  if (item.job.hold) return standing ? `again ${standing.id}` : null;
  return `${proposed.album_id} ${doubtKinds(item.file)}`;
}

/** The question about several files, each with its proposed track. */
export function tracksQuestion(group: Question['group'], items: QuestionItem[]): Question {
  const confidence = Math.min(...items.map(({ file }) => file.confidence));
  const options: MusicOption[] = [
    { id: 'accept', label: 'These tracks', confidence, reasons: commonReasons(items) },
    { id: 'each', label: 'Ask one by one', confidence: 0, reasons: [] },
  ];
  return { kind: 'tracks', group, items, text: phraseOf(items), options };
}

/** More pairs than these are in the table. */
const MOST_PAIRS = 4;

function phraseOf(items: readonly QuestionItem[]): Phrase {
  const files = items.map(({ file }) => file);
  const album = files.map(proposedOf).find((option) => option !== null)?.album ?? '';
  return {
    question: `${items.length} files of '${album}': ${doubtOf(files)}. Are they these tracks?`,
    reasoning: pairsSentence(
      items.map(({ job, file }) => ({
        name: job.original_filename,
        duration_ms: job.duration_ms,
        proposed: proposedOf(file),
      })),
    ),
  };
}

/** `'a.mp3' (4:19) as 'Come Sailing' (4:10), ...`: each file beside its proposed track. */
export function pairsSentence(
  files: readonly Pick<MusicReview['files'][number], 'name' | 'duration_ms' | 'proposed'>[],
): string {
  const pairs = files.slice(0, MOST_PAIRS).map(({ name, duration_ms, proposed }) => {
    const track = proposed ? ` as '${proposed.title}' (${clock(proposed.duration_ms)})` : '';
    return `'${name}' (${clock(duration_ms)})${track}`;
  });
  const more = files.length > MOST_PAIRS ? `, and ${files.length - MOST_PAIRS} more` : '';
  return `${pairs.join(', ')}${more}.`;
}

/** What holds for all of them, as chips: titles and lengths from the least to the most. */
function commonReasons(items: readonly QuestionItem[]): MusicOption['reasons'] {
  const pairs = items.flatMap(({ file }) => file.why?.pair ?? []);
  const reasons: Reason[] = [];
  const titles = pairs.flatMap((pair) => pair.title_similarity ?? []);
  if (titles.length === items.length) {
    const least = Math.min(...titles);
    const label = `titles from ${least.toFixed(2)}`;
    reasons.push({ kind: 'title', label, tone: toneFrom(least, 0.85, 0.6), value: least });
  }
  const offs = pairs.flatMap((pair) => (pair.off === null ? [] : [Math.abs(pair.off)]));
  if (offs.length === items.length) {
    const most = Math.max(...offs);
    const label = `lengths within ${most.toFixed(most < 10 ? 1 : 0)} s`;
    reasons.push({ kind: 'duration', label, tone: toneFrom(-most, -2, -3), value: most });
  }
  return reasons;
}

/** Only what the agent said of every one of them is advice about all. */
function adviceOf(set: readonly PersonsTurn[]): ReviewAdvice | null {
  const all = set.flatMap(({ advice }) => advice ?? []);
  const [first] = all;
  if (!first || all.length < set.length) return null;
  const failed = all.find((advice) => advice.failed !== null);
  const agreed = all.every((advice) => advice.option_id !== null);
  return {
    ...(failed ?? first),
    option_id: agreed ? 'accept' : null,
    agreement: Math.min(...all.map((advice) => advice.agreement)),
  };
}
