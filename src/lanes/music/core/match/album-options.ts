/** The albums that a group could be, side by side. */
import type { AlbumFit } from './album-fit.ts';
import type { GroupFacts } from './vetoes.ts';
import { distinguish } from './distinguish.ts';
import { sharedTitles } from '../names/edition-base.ts';
import type { AlbumOption } from './match.types.ts';
import { albumPairs, missingTracks } from './pair-evidence.ts';
import type { FileReading } from '../names/reading.ts';
import { albumReasons } from './reasons.ts';

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
