import type { MusicQuestionVariant } from '../types.ts';
import { editionBase, SAME_TITLES } from '../names/versions.ts';
import type { FileEvidence } from '../evidence/evidence.ts';
import type { FileMatch, GroupMatch } from '../match/match.types.ts';
import { clock } from '#core/text/duration.ts';
import { textKey } from '#core/text/similarity.ts';

/** A review in the specification's words. */
export interface Phrase {
  question: string;
  /** Why it is asked; one sentence or a short list. */
  reasoning: string;
  /** As `Review.variant`. */
  variant?: MusicQuestionVariant;
}

/** `23s`; `length unknown`. */
const seconds = (milliseconds: number | null): string =>
  milliseconds === null ? 'length unknown' : `${Math.round(milliseconds / 1000)}s`;

const percent = (share: number): string => `${Math.round(share * 100)}%`;

/** `these 10 files`, `this file`. */
const these = (count: number): string => (count === 1 ? 'this file' : `these ${count} files`);

/** Lengths beyond this many are counted, not listed. */
const MOST_LENGTHS = 20;

/** The question about an album, asked once for its whole group. `files` are the batch's; others are passed over. */
export function questionForGroup(group: GroupMatch, files: readonly FileEvidence[]): Phrase {
  const members = files.filter((file) => group.file_ids.includes(file.file_id));
  if (group.verdict === 'no_match') return noMatch(group);
  const count = group.file_ids.length;
  const listed = members.slice(0, MOST_LENGTHS).map((file) => clock(file.duration_ms));
  const more = members.length > MOST_LENGTHS ? `, and ${members.length - MOST_LENGTHS} more` : '';
  const head = `${count === 1 ? 'This file' : `These ${count} files`} with durations [${listed.join(', ')}${more}] could match:`;
  const variant = albumVariant(group);
  const lines = group.options.map((option) => {
    const line = `- '${option.title}' by ${option.artist} (${percent(option.duration_share)} duration match)`;
    const telling = variant === 'edition' ? (option.distinguishing ?? []) : [];
    return telling.length === 0 ? line : `${line}: ${telling.join('; ')}`;
  });
  const reasoning = [head, ...lines].join('\n');
  const [best] = group.options;
  const which = `Which album ${count === 1 ? 'is' : 'are'} ${these(count)}?`;
  if (!best || variant === null) return { question: which, reasoning };
  if (variant === 'edition')
    return { question: `Which edition of '${shortTitle(group)}' are ${these(count)}?`, reasoning, variant };
  const part = `${best.track_count - (best.missing ?? 0)} of the ${best.track_count} tracks of '${best.title}'`;
  return { question: `${which} They could be ${part}.`, reasoning, variant };
}

/** An option of less confidence is no edition that a person has to choose from. */
const LEAST_EDITION = 0.05;

/**
 * REVIEW-22 `edition`: the likely options are one album but for the words that name its edition,
 * with the same titles for a good part. REVIEW-23 `partial`: the
 * best option takes every file and has tracks that none of them is.
 */
function albumVariant(group: GroupMatch): 'edition' | 'partial' | null {
  const likely = group.options.filter((option, at) => at < 2 || option.confidence >= LEAST_EDITION);
  const names = new Set(likely.map(({ title, artist }) => `${editionBase(title)} ${textKey(artist).compact}`));
  const kin = likely.every(({ shared_titles }) => (shared_titles ?? 0) >= SAME_TITLES);
  if (likely.length > 1 && names.size === 1 && kin) return 'edition';
  const [best] = group.options;
  const takesAll = best !== undefined && best.tracks_fitting === group.file_ids.length && group.file_ids.length > 1;
  return takesAll && (best.missing ?? 0) > 0 ? 'partial' : null;
}

/** The shortest title names the album without its edition. */
function shortTitle(group: GroupMatch): string {
  const titles = group.options.slice(0, 2).map(({ title }) => title);
  return titles.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0] ?? '';
}

function noMatch(group: GroupMatch): Phrase {
  const { album, artist, tracks } = group.detected;
  const detected = `'${album ?? 'Unknown Album'}' by '${artist ?? 'Unknown Artist'}' (${tracks} ${tracks === 1 ? 'track' : 'tracks'})`;
  const question = `Could not find matching album in catalog. Detected: ${detected}. Would you like to create a new catalog entry?`;
  const searched = group.searches
    .filter((search) => search.query !== '')
    .map((search) => `${search.query}: ${search.found}`);
  const nothing = 'Nothing in the catalog is near.';
  const near = `Searched ${searched.slice(0, 6).join('; ')}. Nothing fits well enough.`;
  return { question, reasoning: searched.length === 0 ? nothing : near };
}

/** The question about one file: its name and length beside each candidate's. */
export function questionForFile(file: FileMatch, evidence: FileEvidence): Phrase {
  const name = evidence.path.split('/').at(-1) ?? evidence.path;
  const it = `'${name}' (${seconds(evidence.duration_ms)})`;
  const doubts = file.reasons
    .filter((reason) => reason.kind === 'veto')
    .map((reason) => reason.label.replace(/^veto: /, ''));
  const why = doubts.length === 0 ? '' : ` In doubt: ${doubts.join('; ')}.`;
  const candidates = file.options.slice(0, 3).map((option) => `'${option.title}' (${seconds(option.duration_ms)})`);
  const could = candidates.length === 0 ? 'matches no track of the catalog' : `could match ${candidates.join(' or ')}`;
  return { question: `Which track is ${it}?`, reasoning: `File ${it} ${could}.${why}` };
}
