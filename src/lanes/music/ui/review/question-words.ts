/** The kinds of questions about music: what their cards offer, and their words. Pure. */
import type { MusicOption, MusicReview, MusicTypes } from '#lanes/music/core/types.ts';
import { textKey } from '#core/text/similarity.ts';
import { isSoldAgain } from '#lanes/music/core/match/album-evidence.ts';
import { editionBase, editionsIn } from '#lanes/music/core/names/versions.ts';
import type { LaneQuestions } from '#ui/lane-ui.ts';
import { plural } from '#ui/parts/words.ts';
import { differsThroughout, reasonInWords, verdictOf } from '../compare/verdict.ts';

type Kind = MusicReview['kind'];
const isOneOf = (kind: Kind, ...kinds: Kind[]): boolean => kinds.includes(kind);

/** The files name an edition that the one album that is likely does not, and it is of the same recordings (MATCH-114). */
export function editionAsked({ kind, options, detected }: Pick<MusicReview, 'kind' | 'options' | 'detected'>): boolean {
  const [first, ...others] = options.flatMap(({ album, label }) => (album ? [label] : []));
  if (kind !== 'album' || first === undefined || detected.album === null) return false;
  const named = editionsIn(textKey(first).folded);
  const base = editionBase(first);
  const said = editionsIn(textKey(detected.album).folded).filter((name) => !named.includes(name));
  return (
    said.length > 0 &&
    said.every(isSoldAgain) &&
    editionBase(detected.album) === base &&
    !others.some((label) => editionBase(label) === base)
  );
}

export const questionWords = {
  comparison({ kind, options }) {
    if (kind !== 'no_match' && options.length === 0) return null;
    const [show, hide] = kind === 'no_match' ? ['Show files', 'Hide files'] : ['Compare', 'Hide comparison'];
    return { show, hide, always: kind === 'tracks', columns: isOneOf(kind, 'album', 'track') && options.length <= 3 };
  },
  isScored: ({ album, track }) => album !== undefined || track !== undefined,
  isMissing: ({ kind }) => kind === 'no_match',
  searchWords: ({ detected }) =>
    [detected.album ?? detected.title, detected.artist].filter((word) => word !== null).join(' '),
  noneWords: ({ kind }) => (kind === 'album' ? 'none of these albums' : 'none of these'),
  reasons: ({ reasons }) =>
    reasons.map(reasonInWords).sort((a, b) => Number(b.tone === 'bad') - Number(a.tone === 'bad')),
  isSame(review, option) {
    const { same, against } = verdictOf(review, option);
    return same !== null && against.length === 0;
  },
  mayEnter: (review, option) => !differsThroughout(review, option),
  needsMark: ({ kind }) => isOneOf(kind, 'tracks', 'replace'),
  together({ kind, options, files, detected }) {
    if (!isOneOf(kind, 'track', 'tracks')) return null;
    return { about: options[0]?.track?.album ?? files[0]?.proposed?.album ?? detected.album };
  },
  takes,
} satisfies LaneQuestions<MusicTypes>;

/** Of `accept` each file with its track, else the question's file, or files, with the option. */
function takes(
  { files, detected, question, kind }: MusicReview,
  option: MusicOption,
): { file: string; takes: string }[] {
  if (kind === 'tracks' && option.id === 'accept') {
    return files.flatMap(({ name, proposed }) => (proposed ? [{ file: name, takes: proposed.title }] : []));
  }
  const [first] = files;
  if (files.length <= 1) return [{ file: first?.name ?? question, takes: option.label }];
  const count = plural(files.length, 'file');
  return [{ file: detected.album === null ? count : `${count}, ${detected.album}`, takes: option.label }];
}
