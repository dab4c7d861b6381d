/** The albums that a group could be, side by side. */
import type { AlbumFit } from './album-fit.ts';
import type { GroupFacts } from './group-facts.ts';
import { sharedTitles, SAME_TITLES, editionsIn } from '../names/versions.ts';
import type { AlbumOption } from './match.types.ts';
import { albumPairs, missingTracks, albumReasons } from './reasons.ts';
import type { FileReading } from '../names/reading.ts';
import { textKey } from '#core/text/similarity.ts';

/** MATCH-23: what tells each album that is offered from the others, in short phrases. */
const MOST_PHRASES = 3;
/** Seconds by which the lengths of one must be nearer than those of the next to be said. */
const NEARER = 0.7;

/** A list of phrases an album, in the order of `fits`; the most telling first, at most three. */
function distinguish(fits: readonly AlbumFit[]): string[][] {
  if (fits.length < 2) return fits.map(() => []);
  const all = fits.map(traits);
  return all.map((mine, at) => {
    const others = all.filter((_, place) => place !== at);
    return [edition, count, discs, onlyHere, year, lengths]
      .flatMap((phrase) => phrase(mine, others) ?? [])
      .slice(0, MOST_PHRASES);
  });
}

interface Traits {
  editions: string[];
  /** The title's own words for its edition: `Deluxe Edition`. */
  editionWords: string | null;
  tracks: number;
  discs: number;
  year: number | null;
  /** By folded title. */
  titles: ReadonlyMap<string, string>;
  /** Median seconds between the files and the tracks that they would be; null where nothing can be compared. */
  off: number | null;
}

type Phrase = (mine: Traits, others: readonly Traits[]) => string | null;

function traits(fit: AlbumFit): Traits {
  const { album, title, tracks } = fit.album;
  const offs = fit.given
    .flatMap((column, row) => fit.pairs[row]?.[column]?.off ?? [])
    .map(Math.abs)
    .sort((a, b) => a - b);
  return {
    editions: editionsIn(title.folded),
    editionWords: wordsOfEdition(album.title),
    tracks: tracks.length,
    discs: new Set(tracks.map(({ track }) => track.disc)).size,
    year: album.year,
    titles: new Map(tracks.map((track) => [track.title.compact, track.track.title])),
    off: offs[Math.floor(offs.length / 2)] ?? null,
  };
}

/** What is in brackets or behind a dash and names an edition. */
function wordsOfEdition(title: string): string | null {
  const parts = [...title.matchAll(/[([{]([^()[\]{}]+)[)\]}]|\s[-–—:]\s(.+)$/g)].map(
    (found) => found[1] ?? found[2] ?? '',
  );
  const named = parts.filter((part) => editionsIn(textKey(part).folded).length > 0);
  return named.length === 0 ? null : named.join(', ').trim();
}

const edition: Phrase = (mine, others) => {
  const said = (one: Traits): string => one.editionWords ?? one.editions.join(', ');
  if (others.every((other) => said(other) === said(mine))) return null;
  return said(mine) === '' ? 'no edition named' : said(mine);
};

const count: Phrase = (mine, others) => {
  if (others.every((other) => other.tracks === mine.tracks)) return null;
  const first = others[0]?.tracks;
  const rest =
    first !== undefined && others.every((other) => other.tracks === first)
      ? `, the ${others.length === 1 ? 'other' : 'others'} ${first}`
      : '';
  return `${plural(mine.tracks, 'track')}${rest}`;
};

const discs: Phrase = (mine, others) =>
  others.every((other) => other.discs === mine.discs) ? null : plural(mine.discs, 'disc');

const year: Phrase = (mine, others) =>
  mine.year === null || others.every((other) => other.year === mine.year) ? null : String(mine.year);

/** Only among albums that share their titles otherwise. */
const onlyHere: Phrase = (mine, others) => {
  const own = new Set(mine.titles.keys());
  const kin = others.filter((other) => sharedTitles(own, new Set(other.titles.keys())) >= SAME_TITLES);
  if (kin.length === 0) return null;
  const alone = [...mine.titles].filter(([title]) => kin.every((other) => !other.titles.has(title)));
  const [first] = alone;
  if (!first) return null;
  return alone.length === 1 ? `"${first[1]}" only here` : `"${first[1]}" and ${alone.length - 1} more only here`;
};

const lengths: Phrase = (mine, others) => {
  const known = others.flatMap((other) => other.off ?? []);
  if (mine.off === null || known.length < others.length) return null;
  const next = Math.min(...known);
  if (next - mine.off >= NEARER) return `lengths nearest: ${mine.off.toFixed(1)} s off, then ${next.toFixed(1)} s`;
  return mine.off - next >= NEARER ? `lengths ${mine.off.toFixed(1)} s off` : null;
};

const plural = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** One album that is offered, with how likely it is (0..1). */
export interface RankedAlbum {
  fit: AlbumFit;
  confidence: number;
}

/** Albums with how likely each is, given that it is one of these or none; best first, at most five. */
export function rankAlbums(
  files: readonly FileReading[],
  candidates: readonly AlbumFit[],
  facts: GroupFacts,
): RankedAlbum[] {
  const most = Math.max(0, ...candidates.map((fit) => fit.matched));
  // An album that a stray file or two happen to fit is no answer to "which album are these".
  const fits = candidates.filter((fit) => fit.matched > most / 3).slice(0, 5);
  const top = fits[0]?.total ?? 0;
  // "None of these" weighs as much as an album that is little better than chance.
  const none = Math.exp((5 + 1.2 * files.length - top) / 2);
  const weights = fits.map((fit) => Math.exp((fit.total - top) / 2));
  const sum = weights.reduce((a, b) => a + b, 0) + none;
  const bound = facts.medianOff !== null && facts.medianOff > 3.5 ? 0.5 : 0.995;
  return fits.map((fit, at) => ({
    fit,
    confidence: Math.round(Math.min((weights[at] ?? 0) / sum, bound) * 1000) / 1000,
  }));
}

/** MATCH-22, MATCH-23: the ranked albums as they are stored; their fits say which track each file is. */
export function albumOptions(
  files: readonly FileReading[],
  ranked: readonly RankedAlbum[],
  wanted: string | null,
): AlbumOption[] {
  const telling = distinguish(ranked.map(({ fit }) => fit));
  const titles = ranked.map(({ fit }) => new Set(fit.album.tracks.map(({ title }) => title.compact)));
  const [best = new Set<string>()] = titles;
  return ranked.map(({ fit, confidence }, at) => {
    const { album } = fit.album;
    const shared = at === 0 ? 1 : sharedTitles(titles[at] ?? new Set(), best);
    return {
      album_id: album.id,
      title: album.title,
      artist: album.artist,
      year: album.year,
      track_count: fit.album.tracks.length,
      confidence,
      duration_share: Math.round(fit.durationShare * 1000) / 1000,
      tracks_fitting: fit.matched,
      reasons: albumReasons(fit, files.length, album.id === wanted),
      pairs: albumPairs(files, fit),
      missing: missingTracks(fit),
      shared_titles: Math.round(shared * 1000) / 1000,
      distinguishing: telling[at] ?? [],
    };
  });
}
