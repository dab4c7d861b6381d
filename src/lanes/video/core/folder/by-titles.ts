/**
 * Where the titles in the names and their numbers disagree throughout: two stories of the catalog in one file each, or another
 * order than the catalog's (as on discs).
 */
import type { FolderQuestion } from '../folder-reading.ts';
import type { Clue } from './clue.ts';
import { matchTitle, placeKey, placeName, type KnownEpisode, type KnownShow, type Place } from './known-show.ts';
import type { Found } from './reasons.ts';

/** Nearly word for word. */
const SAME = 0.95;
/** So many names at least make a habit. */
const FEWEST_STORIES = 2;
const FEWEST_MOVED = 3;
/** Of the names with numbers, so many have titles that the catalog has. */
const MOST = 0.6;

export interface ByTitles {
  found: Map<Clue, Found>;
  question: FolderQuestion | null;
}

/** @param answer to `which-numbering`, null where nobody gave one */
export function placeByTitles(found: ReadonlyMap<Clue, Found>, show: KnownShow, answer: string | null): ByTitles {
  const numbered = [...found].flatMap(([clue, one]): Numbered[] =>
    one.class === 'episode' && one.by === 'number' && clue.reading.part === null ? [{ clue, places: one.places }] : [],
  );
  const stories = storiesOf(numbered, show);
  if (stories.size > 0) return { found: new Map([...found, ...stories]), question: null };
  const moved = orderOf(numbered, show);
  if (moved === null || answer === 'season') return { found: new Map(found), question: null };
  const isOpen = answer !== 'titles';
  const placed = new Map(found);
  for (const { clue, at } of moved)
    placed.set(clue, { class: 'episode', by: 'title', likeness: 1, places: [at], open: isOpen });
  return { found: placed, question: isOpen ? orderQuestion(moved) : null };
}

interface Numbered {
  clue: Clue;
  places: readonly Place[];
}

/** Each piece of the title is an episode's: `The Kite & Wet Paint`. */
function storiesOf(numbered: readonly Numbered[], show: KnownShow): Map<Clue, Found> {
  const told = new Map<Clue, KnownEpisode[]>();
  let titled = 0;
  for (const { clue } of numbered) {
    const title = clue.reading.episode_title;
    if (title === null) continue;
    titled++;
    const whole = matchTitle(title, show.episodes, show);
    if (whole !== null && whole.likeness === 1) continue;
    const hits = piecesOf(title).map((piece) => hitOf(piece, show));
    const known = hits.filter((hit) => hit !== null);
    const isWhole = known.length > 1 && known.length === hits.length;
    if (isWhole && new Set(known.map(placeKey)).size === known.length) told.set(clue, known);
  }
  if (told.size < FEWEST_STORIES || told.size * 2 < titled) return new Map();
  const each = strideOf(told);
  const found = new Map<Clue, Found>();
  for (const { clue, places } of numbered) {
    const stories = told.get(clue) ?? (each === null ? null : strided(places, each, show));
    if (stories !== null) found.set(clue, { class: 'episode', by: 'title', likeness: 1, places: stories });
  }
  return found;
}

const piecesOf = (title: string): string[] => title.split(/\s+(?:&|\+|and|und|et|y|e|\/|-|–|~)\s+|\s*[;/+]\s*|,\s+/iu);

function hitOf(text: string, show: KnownShow): KnownEpisode | null {
  const hit = matchTitle(text, show.episodes, show);
  return hit !== null && hit.likeness >= SAME ? hit.episode : null;
}

/** So many stories a file, where the first of each is what the file's number says; null where that differs. */
function strideOf(told: ReadonlyMap<Clue, readonly KnownEpisode[]>): number | null {
  const sizes = new Set([...told.values()].map((stories) => stories.length));
  const [each] = sizes;
  if (sizes.size !== 1 || each === undefined) return null;
  const fits = [...told].every(([{ numbers }, [first]]) => first?.episode === each * ((numbers[0] ?? 0) - 1) + 1);
  return fits ? each : null;
}

/** The stories of a file without titles, by its number; null where the catalog lacks one. */
function strided(places: readonly Place[], each: number, show: KnownShow): KnownEpisode[] | null {
  const [place] = places;
  if (place === undefined || places.length > 1) return null;
  const found = Array.from({ length: each }, (_, at) =>
    show.at({ season: place.season, episode: each * (place.episode - 1) + 1 + at }),
  );
  return found.every((one) => one !== null) ? found : null;
}

interface Moved extends Numbered {
  /** Where the catalog has its title. */
  at: KnownEpisode;
}

/** All names whose titles the catalog has, where that is another order of the same episodes; null where it is none. */
function orderOf(numbered: readonly Numbered[], show: KnownShow): Moved[] | null {
  const single = numbered.filter(({ places }) => places.length === 1);
  const titled = single.flatMap(({ clue, places }): Moved[] => {
    const title = clue.reading.episode_title;
    const at = title === null ? null : hitOf(title, show);
    return at === null ? [] : [{ clue, places, at }];
  });
  const moved = titled.filter(({ places, at }) => places.every((place) => placeKey(place) !== placeKey(at)));
  if (moved.length < FEWEST_MOVED || moved.length * 2 < titled.length || titled.length < single.length * MOST)
    return null;
  // A second release of one file is no second episode.
  const pairs = new Map(titled.map(({ clue, at }) => [`${clue.season}x${clue.numbers.join()}`, placeKey(at)]));
  return new Set(pairs.values()).size === pairs.size ? titled : null;
}

/** Both orders, with what each makes of the first file that they differ in. */
function orderQuestion(moved: readonly Moved[]): FolderQuestion | null {
  const differing = moved.filter(({ places, at }) => places.every((place) => placeKey(place) !== placeKey(at)));
  const [first] = differing;
  if (first === undefined) return null;
  const name = first.clue.path.slice(first.clue.path.lastIndexOf('/') + 1);
  return {
    kind: 'which-numbering',
    sentence: `The titles of ${differing.length} files are those of other episodes than their numbers. Which of them counts?`,
    options: [
      { id: 'titles', label: `The titles, in the catalog's order: "${name}" is ${placeName(first.at)}` },
      {
        id: 'season',
        label: `The numbers, another order as on discs: "${name}" is ${first.places.map(placeName).join(', ')}`,
      },
    ],
  };
}
