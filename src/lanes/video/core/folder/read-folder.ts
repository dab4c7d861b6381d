/**
 * VIDEO-30..VIDEO-44: a folder as a whole. Names are read one by one; what they leave open the folder settles: which
 * number counts, what it counts, which day is meant, what is only an extra.
 */
import { kindOf, type FolderFile, type FolderReading } from '../folder-reading.ts';
import type { Show } from '../show-catalog.ts';
import { readClue, type Clue } from './clue.ts';
import { numberColumns } from './columns.ts';
import { groupClues, type CountingKind, numberingQuestion, weighGroups, type Weighed } from './weigh.ts';
import { describeFiles } from './describe.ts';
import type { Found } from './reasons.ts';
import { knownShow, type KnownShow, placeKey, matchTitle, type KnownEpisode } from './known-show.ts';
import { mendClues, withTailNumber } from './mend-clues.ts';
import { placeByTitles } from './by-titles.ts';
import { countParts } from './parts.ts';
import { mergeParts, partsByShow } from './several-shows.ts';
import { extraWordIn, isOnlyExtraWords, sortClues, type SortedClues } from './sort-clues.ts';
import { placeSpecials, naturally } from './specials.ts';
import { duplicatesOf, gapsOf, setSamplesAside } from './tally.ts';
import { chooseShow, voteTitle, type TitleVote, isOtherShow, titleKey } from './title-vote.ts';
import type { DateOrder, DateReading } from './dates.ts';

/** VIDEO-36: days that can be read in two orders: the catalog settles it, else the order that most names are written in. */

function placeDated(clues: readonly Clue[], show: KnownShow): Map<Clue, Found> {
  const found = new Map<Clue, Found>();
  const order = usualOrder(clues, show);
  const days = new Map<string, Clue[]>();
  for (const clue of clues) {
    const day = dayOf(clue.dates, order, show);
    if (day === null) continue;
    days.set(day, [...(days.get(day) ?? []), clue]);
  }
  for (const [day, of] of days) {
    const episodes = show.byDate(day);
    const sorted = of.toSorted((a, b) => naturally(a.path, b.path));
    for (const [at, clue] of sorted.entries()) {
      const places = episodesOf(clue, at, sorted.length, episodes, show);
      const numbers = clue.numbers.map((episode) => ({ season: clue.season ?? 1, episode }));
      const said = numbers.length > 0 && clue.season !== null ? numbers : null;
      found.set(clue, { class: 'episode', by: 'date', day, settled: places !== null, places: places ?? said });
    }
  }
  return found;
}

/** Of several episodes on one day: by title, by part, by the order of as many files; one file holds them all. */
function episodesOf(
  clue: Clue,
  at: number,
  files: number,
  episodes: readonly KnownEpisode[],
  show: KnownShow,
): KnownEpisode[] | null {
  if (episodes.length === 0) return null;
  const [first] = episodes;
  if (episodes.length === 1 && first !== undefined) return [first];
  const titled = matchTitle(clue.reading.episode_title ?? clue.stem, episodes, show)?.episode;
  if (titled !== undefined) return [titled];
  const numbered = episodes.find(
    ({ season, episode }) => clue.numbers.includes(episode) && (clue.season ?? season) === season,
  );
  if (numbered !== undefined) return [numbered];
  const nth =
    clue.reading.part !== null ? episodes[clue.reading.part - 1] : files === episodes.length ? episodes[at] : undefined;
  if (nth !== undefined) return [nth];
  const regular = episodes.filter(({ season }) => season !== 0);
  return files === 1 ? (regular.length > 0 ? regular : [...episodes]) : first === undefined ? null : [first];
}

/** The order in which most names can be read whose order is not open; year, month, day before all where none is. */
function usualOrder(clues: readonly Clue[], show: KnownShow): DateOrder | null {
  const counts = new Map<DateOrder, number>();
  for (const { dates } of clues) {
    if (dates.length < 1) continue;
    const aired = dates.filter(({ day }) => show.byDate(day).length > 0);
    const one = aired.length === 1 ? aired[0] : dates.length === 1 ? dates[0] : undefined;
    if (one !== undefined) counts.set(one.order, (counts.get(one.order) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}

function dayOf(dates: readonly DateReading[], usual: DateOrder | null, show: KnownShow): string | null {
  const aired = dates.filter(({ day }) => show.byDate(day).length > 0);
  const among = aired.length > 0 ? aired : dates;
  return (among.find(({ order }) => order === usual) ?? among[0])?.day ?? null;
}

/** VIDEO-40: two shows in one folder. A file that is named as another show takes no episode from this one. */
function dropForeign(found: Map<Clue, Found>, show: Show | null, vote: TitleVote): Map<Clue, Found> {
  const own = show === null ? [vote.title ?? ''] : [show.title, ...show.titles];
  const isForeign = ({ reading }: Clue): boolean =>
    reading.title !== null &&
    own.every((title) => isOtherShow(title, reading.title ?? '')) &&
    !sameAsVoted(reading.title, vote);
  const taken = new Map<string, Set<string>>();
  for (const [clue, one] of found)
    if (one.class === 'episode')
      for (const place of one.places ?? []) {
        const key = placeKey(place);
        taken.set(key, (taken.get(key) ?? new Set()).add(titleKey(clue)));
      }
  const result = new Map(found);
  for (const [clue, one] of found) {
    if (one.class !== 'episode' || !isForeign(clue)) continue;
    // Alone, a title misread takes nothing from anybody; the same episode twice under two titles is two shows.
    const doubled = one.places?.some((place) => (taken.get(placeKey(place))?.size ?? 0) > 1) ?? false;
    if (doubled) result.set(clue, { class: 'other', foreign: clue.reading.title ?? '' });
  }
  return result;
}

const sameAsVoted = (title: string, vote: TitleVote): boolean => vote.title !== null && !isOtherShow(title, vote.title);

/** A bare number without the show's title is no match for a name that says season and episode: it may be of anything. */
function markDisputed(found: ReadonlyMap<Clue, Found>, show: Show | null, vote: TitleVote): Map<Clue, Found> {
  const titles = [vote.title, show?.title ?? null, ...(show?.titles ?? [])].filter((title) => title !== null);
  const isOurs = ({ own }: Clue): boolean =>
    own.title !== null && titles.some((title) => !isOtherShow(title, own.title ?? ''));
  const sure = new Map<string, string>();
  for (const [clue, one] of found)
    if (one.class === 'episode' && one.by === 'number' && clue.seasonBy !== null)
      for (const place of one.places) sure.set(placeKey(place), clue.path);
  const result = new Map(found);
  for (const [clue, one] of found) {
    if (one.class !== 'episode' || one.by !== 'number' || clue.seasonBy !== null || isOurs(clue)) continue;
    const surer = one.places.map((place) => sure.get(placeKey(place))).find((path) => path !== undefined);
    if (surer !== undefined) result.set(clue, { ...one, surer });
  }
  return result;
}

/** What a person answered to the folder's questions. */
export interface FolderAnswers {
  /** To `which-show`: the show's id, or empty for none of those that were offered. */
  show?: string;
  /** To `which-numbering`: a way to count, or `titles`. */
  numbering?: string;
}

export interface FolderOptions {
  /** Of the folder itself: it names the show where the files do not. */
  folderName?: string;
  /** The show that the folder is of, where that is known; null where no catalog has it. */
  show?: Show | null;
  /** The shows that it can be of; the names choose among them. */
  shows?: readonly Show[];
  answers?: FolderAnswers;
}

/** From here on a file is offered for the plan; below it only shown. */
export const PLAN_CONFIDENCE = 0.5;

const COUNTINGS: readonly CountingKind[] = ['season', 'absolute', 'compact', 'after', 'sequel'];

/** @param files all of the folder, videos and others, in any order; each is answered, in the given order */
export function readFolder(files: readonly FolderFile[], options: FolderOptions = {}): FolderReading {
  const { reading, clashes } = readOne(files, options);
  if (options.show !== undefined || options.answers?.show !== undefined) return reading;
  const parts = partsByShow(files, options.folderName ?? '', options.shows ?? [], clashes);
  if (parts === null) return reading;
  const readings = parts.map((part) => {
    const own: FolderOptions = { ...options, folderName: part.title ?? '', show: part.show };
    return { part, reading: readOne(part.files, own).reading };
  });
  return mergeParts(files, readings);
}

/** A folder of one show. `clashes`: some files are named as another show and are the same episodes. */
function readOne(files: readonly FolderFile[], options: FolderOptions): { reading: FolderReading; clashes: boolean } {
  const folderName = options.folderName ?? '';
  const videos = files.filter(({ path }) => kindOf(path) === 'video');
  const columns = numberColumns(videos.map(({ path }) => path));
  const read = videos.map((file) => readClue(file, columns.get(file.path) ?? null, folderName));
  const vote = voteTitle(read, folderName);
  const chosen =
    options.show === undefined
      ? chooseShow(vote, folderName, options.shows ?? [], options.answers?.show)
      : { show: options.show, question: null };
  const show = knownShow(chosen.show);
  const titles = [vote.title, chosen.show?.title ?? null, ...(chosen.show?.titles ?? [])].filter(
    (title) => title !== null,
  );
  const clues = mendClues(
    countParts(
      read.map((clue) => withTailNumber(clue, titles)),
      titles,
      show,
    ),
    titles,
    show,
  );
  const sorted = sortClues(clues, show, titlesWithoutDoubt(vote, chosen.show));
  const weighed = weighGroups(groupClues(sorted.numbered), show, countingKind(options.answers?.numbering));
  const byTitles = placeByTitles(placeAll(sorted, weighed, show), show, options.answers?.numbering ?? null);
  const placed = dropForeign(byTitles.found, chosen.show, vote);
  const found = setSamplesAside(markDisputed(placed, chosen.show, vote));
  const described = describeFiles(files, clues, found, show);
  const numbering = byTitles.question ?? numberingQuestion(weighed);
  const reading: FolderReading = {
    show: {
      id: chosen.show?.id ?? null,
      title: chosen.show?.title ?? vote.title,
      year: chosen.show?.year ?? vote.year,
    },
    files: described,
    questions: [chosen.question, numbering].filter((one) => one !== null),
    gaps: gapsOf(described, show),
    duplicates: duplicatesOf(described, new Map(clues.map((clue) => [clue.path, clue]))),
  };
  return { reading, clashes: [...found.values()].some((one) => one.class === 'other' && one.foreign !== undefined) };
}

/** So many names have one title: it is a show's, even where it sounds like an extra's. */
const OFTEN = 3;

/** "Silver Lagoon - Opening" is what a single name may be taken for; the words of such a title still say what it is. */
function titlesWithoutDoubt(vote: TitleVote, show: Show | null): string[] {
  const known = show === null ? [] : [show.title, ...show.titles];
  if (vote.title === null) return known;
  const trusted = vote.names >= OFTEN || (show === null && extraWordIn(vote.title) === null);
  return trusted ? [vote.title, ...known] : known;
}

const countingKind = (answer: string | undefined): CountingKind | null =>
  COUNTINGS.find((kind) => kind === answer) ?? null;

/** Each video once. */
function placeAll(sorted: SortedClues, weighed: readonly Weighed[], show: KnownShow): Map<Clue, Found> {
  const found = new Map<Clue, Found>();
  for (const clue of sorted.extras) found.set(clue, { class: 'extra' });
  for (const clue of sorted.movies) found.set(clue, { class: 'movie' });
  for (const one of weighed)
    for (const clue of one.group.clues) {
      const places = one.counting.place(clue);
      found.set(clue, places === null ? { class: 'other' } : { class: 'episode', by: 'number', weighed: one, places });
    }
  for (const [clue, dated] of placeDated(sorted.dated, show)) found.set(clue, dated);
  for (const clue of sorted.doubtful) found.set(clue, doubtful(clue, found, show));
  for (const { clue, place, by } of placeSpecials(sorted.specials, show))
    found.set(clue, { class: 'episode', by: 'special', how: by, places: [place] });
  for (const clue of sorted.specials) if (!found.has(clue)) found.set(clue, { class: 'extra', unplaced: true });
  for (const clue of sorted.wordy) {
    const hit = matchTitle(clue.stem, show.episodes, show);
    if (hit !== null) found.set(clue, { class: 'episode', by: 'title', likeness: hit.likeness, places: [hit.episode] });
    else found.set(clue, { class: clue.reading.type === 'movie' ? 'movie' : 'other' });
  }
  return found;
}

/** Where no other file is the episode, its title may well have such a word. */
function doubtful(clue: Clue, found: ReadonlyMap<Clue, Found>, show: KnownShow): Found {
  const { season, numbers, own } = clue;
  const title = own.episode_title;
  const isMarked = /s\d+[\s._-]*e\d|\d+x\d/i.test(clue.stem);
  if (own.type === 'extra' || !isMarked || title === null || isOnlyExtraWords(title)) return { class: 'extra' };
  const places = numbers.map((episode) => ({ season: season ?? 1, episode }));
  const known = places.length > 0 && places.every((place) => !show.counted || show.at(place) !== null);
  const taken = [...found].some(
    ([other, one]) =>
      other !== clue &&
      one.class === 'episode' &&
      one.places?.some((a) => places.some((b) => a.season === b.season && a.episode === b.episode)),
  );
  return known && !taken ? { class: 'episode', by: 'doubtful', places } : { class: 'extra' };
}
