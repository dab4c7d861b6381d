/** What has to be asked about a group: by whom it is answered, the agent or a person, is decided later. */
import type { FileMatch, GroupMatch } from '../match/match.types.ts';
import { questionForFile, questionForGroup, type Phrase } from './phrase.ts';
import type { MusicJob, MusicOption, MusicReview } from '../types.ts';

export interface QuestionItem {
  job: MusicJob;
  file: FileMatch;
}

export interface Question {
  kind: MusicReview['kind'];
  group: GroupMatch;
  items: QuestionItem[];
  text: Phrase;
  options: MusicOption[];
}

/** More candidates than these are noise; the search box finds the rest. */
const MOST_TRACK_OPTIONS = 3;

/** REVIEW-2: one question for the album while that is in doubt; else one a file, and one for what is like nothing. */
export function questionsOf(group: GroupMatch, doubtful: QuestionItem[]): Question[] {
  const evidence = doubtful.flatMap(({ job }) => job.evidence ?? []);
  if (group.verdict === 'ask_album' && group.options.length > 0) {
    const text = questionForGroup(group, evidence);
    return [{ kind: 'album', group, items: doubtful, text, options: group.options.map(albumChoice) }];
  }
  const questions: Question[] = [];
  const without = group.verdict === 'no_match' ? doubtful : doubtful.filter(({ file }) => file.options.length === 0);
  if (without.length > 0) {
    const ids = new Set(without.map(({ job }) => job.id));
    const rest: GroupMatch = { ...group, verdict: 'no_match', detected: { ...group.detected, tracks: without.length } };
    const files = evidence.filter((file) => ids.has(file.file_id));
    const text = questionForGroup(rest, files);
    questions.push({ kind: 'no_match', group, items: without, text, options: [] });
  }
  for (const item of doubtful) {
    if (without.includes(item) || item.job.evidence === null) continue;
    questions.push({
      kind: 'track',
      group,
      items: [item],
      text: questionForFile(item.file, item.job.evidence),
      options: item.file.options.slice(0, MOST_TRACK_OPTIONS).map(trackChoice),
    });
  }
  return questions;
}

type Album = GroupMatch['options'][number];
type Track = FileMatch['options'][number];

const choiceOf = (id: string, { title: label, confidence, reasons }: Album | Track): MusicOption => ({
  ...{ id, label, confidence, reasons },
});

export const albumChoice = (album: Album): MusicOption => ({ ...choiceOf(`album:${album.album_id}`, album), album });
export const trackChoice = (track: Track): MusicOption => ({ ...choiceOf(`track:${track.track_id}`, track), track });
