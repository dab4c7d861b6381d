/** REVIEW-46: files that were sent for a request and are surely something else. */
import type { Track } from '../catalog.ts';
import type { FileMatch, GroupMatch } from '../match/match.types.ts';
import { pairsSentence, proposedOf } from './track-questions.ts';
import type { Question, QuestionItem } from './questions.ts';

/** What a request asked for. */
export interface Wanted {
  /** One of both is null where the request names the other alone. */
  album_id: string | null;
  track_id: string | null;
  /** As its person knows it: `"OK Computer" by Radiohead`. */
  name: string;
}

export interface UnrequestedItem extends QuestionItem {
  track: Track;
}

/** The match is of another album, or another track, than the request wants, and no person said that it is right. */
export function isUnrequested(track: Track, file: FileMatch, wanted: Wanted): boolean {
  if (proposedOf(file) === null || file.reasons.some(({ kind }) => kind === 'chosen')) return false;
  return wanted.track_id === null ? wanted.album_id !== track.album_id : wanted.track_id !== track.id;
}

/** Nothing is published for a request that did not ask for it without a word. */
export function requestQuestion(group: GroupMatch, items: readonly UnrequestedItem[], wanted: Wanted): Question {
  const [first] = items;
  const one = items.length === 1 && first !== undefined;
  const albums = [...new Set(items.map(({ file }) => proposedOf(file)?.album ?? ''))].map((album) => `"${album}"`);
  const sent = one ? `'${first.job.original_filename}'` : `${items.length} files`;
  const is = one ? `it is "${first.track.title}" by ${first.track.artist}` : `they are`;
  // However sure the match is: that they are wanted is what nothing speaks for.
  const accept = { id: 'accept', label: `Publish ${one ? 'it' : 'them'} anyway`, confidence: 0, reasons: [] };
  return {
    kind: 'tracks',
    group,
    items: [...items],
    text: {
      question: `You sent ${sent} for ${wanted.name}; ${is} on ${albums.join(' and ')}. Publish ${one ? 'it' : 'them'} anyway?`,
      reasoning: pairsSentence(
        items.map(({ job, file }) => ({
          name: job.original_filename,
          duration_ms: job.duration_ms,
          proposed: proposedOf(file),
        })),
      ),
      variant: 'unrequested',
    },
    options: one ? [accept] : [accept, { id: 'each', label: 'Ask one by one', confidence: 0, reasons: [] }],
  };
}
