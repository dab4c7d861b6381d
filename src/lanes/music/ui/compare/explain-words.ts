/** A decision's numbers in words: what each feature and each veto means, and the compared pair as rows. Pure. */
import type {
  DecisionTerm,
  Explanation,
  FileMatch,
  PairEvidence,
  TrackOption,
} from '#lanes/music/core/match/match.types.ts';
import { formatDuration } from '#core/text/duration.ts';
import { placeNumber } from './compare.ts';
import { lengthDifference, percent } from '#ui/parts/words.ts';

interface FeatureWords {
  name: string;
  /** One sentence: what the number is about. */
  says: string;
}

const FEATURES: Readonly<Record<string, FeatureWords>> = {
  title: { name: 'Title', says: 'How much more the name is like this title than like any title.' },
  untitled: { name: 'No title', says: 'The name and the tags say no title.' },
  duration: { name: 'Length', says: 'How well the length fits, weighed against how common that length is.' },
  untimed: { name: 'No length', says: 'There is no length to compare.' },
  position: { name: 'Track number', says: 'Whether the number in the name or the tags is that of this track.' },
  artist: { name: 'Artist', says: 'Whether the artist agrees, where artists tell tracks apart.' },
  version: { name: 'Version words', says: 'Words like live or remix that only one of the two says.' },
  trackMargin: { name: 'Ahead of the next track', says: 'How far this track is ahead of the next best of the album.' },
  albumMargin: { name: 'Ahead of the next album', says: 'How far the album is ahead of the next that could be it.' },
  meanTotal: { name: 'The files together', says: 'How well all files of the album fit it, on average.' },
  matchedShare: { name: 'Files that found a track', says: 'The share of the files that this album has a track for.' },
  nearShare: { name: 'Lengths of the album', says: 'The share of the files whose length is within 3 seconds.' },
  size: { name: 'Number of files', says: 'The more files fit together, the less it is chance.' },
  coverage: { name: 'Album complete', says: 'The share of the album\u2019s tracks that have a file.' },
  album: { name: 'Album named', says: 'How well the folder and the tags name this album.' },
  shared: { name: 'Track shared', says: 'Another file is the same track, in another format perhaps.' },
  alone: { name: 'File by itself', says: 'No other file speaks for this album.' },
  titlesAgree: { name: 'Titles of the album', says: 'The share of the files whose title agrees.' },
  unitShare: { name: 'Share of the folder', says: 'How much of the folder or drop this album explains.' },
  bias: {
    name: 'Before any evidence',
    says: 'Most pairs of a file and a track are wrong; evidence has to outweigh that.',
  },
};

const VETOES: Readonly<Record<string, string>> = {
  length: 'A length that is more than 3 seconds off is not taken without a look.',
  recording: 'The lengths of the whole album are off, as they are of another recording.',
  untimed: 'Without a length to compare, only several strong titles would be enough.',
  artist: 'The file names another artist.',
  version: 'Only one of the two says that it is another version.',
  twin: 'Another album fits these files as well.',
  title: 'The title differs too much.',
  lengths_alone: 'Only the length speaks for it, and lengths are common.',
  edition: 'The file names another edition of the album.',
  other_album: 'The file names another album.',
  stray: 'The rest of the drop belongs elsewhere.',
  rival: 'Another track that no file has taken fits as well.',
  alone: 'A title alone is not enough for one or two files.',
};

/** The feature of a term, as a person reads it; one that is not known here keeps its own name. */
export function featureWords(feature: string): FeatureWords {
  const veto = feature.startsWith('veto_') ? feature.slice('veto_'.length) : null;
  if (veto !== null) return { name: `Veto: ${spaced(veto)}`, says: vetoSentence(veto) };
  return FEATURES[feature] ?? { name: spaced(feature), says: '' };
}

/** Why such a thing is never decided without a person; empty for a kind that is not known here. */
export const vetoSentence = (kind: string): string => VETOES[kind] ?? '';

/** UI-49: what set the confidence where the evidence alone did not; empty where it did. */
export function limitSentence(limit: Explanation['limit'], confidence: number): string {
  switch (limit) {
    case 'album_in_doubt':
      return `Which album it is has to be asked, so no file of it counts for more than ${percent(confidence)}.`;
    case 'album_chosen':
      return `You chose the album: inside it, what agrees of title, length and number decides, and that is ${percent(confidence)}.`;
    case 'track_chosen':
      return 'You chose this track: that decides, whatever the evidence says.';
    default:
      return '';
  }
}

/** `trackMargin`, `other_album` as words. */
function spaced(name: string): string {
  return name
    .replace(/_/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase();
}

/** The sum of the terms: the log-odds of the confidence before vetoes. */
export function sumOf(terms: readonly DecisionTerm[]): number {
  return terms.reduce((sum, { log_odds }) => sum + log_odds, 0);
}

export interface PairRow {
  what: string;
  /** As the file and as the catalog say it; null where it is not known. */
  file: string | null;
  track: string | null;
  difference: string;
  /** Log-likelihood against chance; null where it weighs nothing. */
  weight: number | null;
}

/** One file beside one track, a row a comparison. `speed`: the album's length over the file's. */
export function pairRows(
  detected: FileMatch['detected'],
  file_ms: number | null,
  track: TrackOption,
  pair: PairEvidence,
  speed = 1,
): PairRow[] {
  const { weights } = pair;
  const words = [
    ...pair.version_extra.map((word) => `only the file says ${word}`),
    ...pair.version_missing.map((word) => `only the track says ${word}`),
  ];
  const rows: PairRow[] = [
    {
      what: 'Title',
      file: detected.title,
      track: track.title,
      difference: likeness(pair.title_similarity),
      weight: weights.title,
    },
    {
      what: 'Length',
      file: file_ms === null ? null : formatDuration(file_ms),
      track: track.duration_ms === null ? null : formatDuration(track.duration_ms),
      difference:
        pair.off === null
          ? 'not known'
          : `${lengthDifference(pair.off * 1000)}${speed === 1 ? '' : `, at ${(100 / speed).toFixed(1)}\u00a0% speed`}`,
      weight: weights.duration,
    },
    {
      what: 'Place',
      file: detected.position === null ? null : placeNumber({ disc: detected.disc, position: detected.position }),
      track: placeNumber(track),
      difference: pair.position_agrees === null ? 'no number' : pair.position_agrees ? 'the same' : 'another',
      weight: weights.position,
    },
    {
      what: 'Artist',
      file: detected.artist,
      track: track.artist,
      // Without an artist in the tags it was looked for in the name: a likeness by chance says nothing.
      difference: pair.artist_conflict
        ? 'another artist'
        : likeness(detected.artist === null && weights.artist === 0 ? null : pair.artist_similarity),
      weight: weights.artist,
    },
  ];
  if (words.length > 0) {
    rows.push({ what: 'Version', file: null, track: null, difference: words.join(', '), weight: weights.version });
  }
  return rows;
}

function likeness(similarity: number | null): string {
  if (similarity === null) return 'nothing to compare';
  return similarity >= 0.995 ? 'the same' : `${percent(similarity)} alike`;
}
