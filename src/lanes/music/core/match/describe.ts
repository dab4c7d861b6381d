import { isPatterned, pairsOf, type AlbumFit } from './album-fit.ts';
import { albumOptions, rankAlbums } from './album-options.ts';
import { decidePair } from './decide.ts';
import { groupFacts, type GroupFacts } from './group-facts.ts';
import type { FileMatch, GroupMatch } from './match.types.ts';
import type { UnitGroup } from './match-unit.ts';
import { explain } from './explain.ts';
import { albumKey } from './group.ts';
import { optionsFor, rankTracks, relatedTracks } from './options.ts';
import type { CalibrationProfile } from '../calibration/profile.ts';
import type { PairScore } from './score.ts';
import { albumReasons, pairReasons, vetoReason } from './reasons.ts';
import { majority, type FileReading } from '../names/reading.ts';
import { textKey } from '#core/text/similarity.ts';

/** An album explains a group when it is likelier than chance by this much per file (log). */
const LEAST_PER_FILE = 3;
/** From here on an album is decided. */
const ALBUM_SURE = 0.9;

/**
 * Turns a solved group into what the app stores and shows. `answered` makes of an album what it is once a person chooses
 * it: where the album is asked about, the options show that (UI-40), else what was decided.
 */
export function describeGroup(
  group: UnitGroup,
  profile: CalibrationProfile,
  wanted: string | null,
  answered: (fit: AlbumFit) => AlbumFit,
  sameEditions = false,
): { group: GroupMatch; files: FileMatch[] } {
  const facts = groupFacts(group.files, group.fits, group.unitFiles, sameEditions);
  const best = group.fits[0];
  const files = group.files.map((file, row) => describeFile(file, row, group, facts, profile));
  const id = `group-${[...group.files.map((file) => file.evidence.file_id)].sort()[0] ?? ''}`;
  const ranked = rankAlbums(group.files, group.fits, facts);
  const albumConfidence = ranked[0]?.confidence ?? 0;
  const credible = best !== undefined && explains(best, facts);
  let verdict: GroupMatch['verdict'];
  if (!credible) verdict = 'no_match';
  else if (facts.soldAgain.length > 0 && best.album.album.id !== wanted) verdict = 'ask_album';
  else if (group.files.length === 1) verdict = 'loose';
  else verdict = albumConfidence > ALBUM_SURE && !hasLengthRival(group.fits, wanted) ? 'matched' : 'ask_album';
  const asked = verdict === 'ask_album' || verdict === 'no_match';
  const shown = asked ? ranked.map((entry) => ({ ...entry, fit: answered(entry.fit) })) : ranked;
  const matches = files.map((match) => ({ ...(asked ? inDoubt(match) : match), group_id: id }));
  return {
    group: {
      group_id: id,
      file_ids: group.files.map((file) => file.evidence.file_id),
      verdict,
      album_id: credible ? (best?.album.album.id ?? null) : null,
      confidence: albumConfidence,
      options: albumOptions(group.files, shown, wanted),
      detected: detectedOf(group.files),
      reasons: best && credible ? albumReasons(best, group.files.length, best.album.album.id === wanted) : [],
      searches: group.searches,
    },
    files: matches,
  };
}

/** What a doubt about the album leaves at most: under any sensible threshold of approval. */
const ALBUM_DOUBT = 0.85;

function inDoubt(match: FileMatch): FileMatch {
  if (match.confidence <= ALBUM_DOUBT) return match;
  const why = match.why && { ...match.why, limit: 'album_in_doubt' as const };
  return { ...match, confidence: ALBUM_DOUBT, ...(why ? { why } : {}) };
}

/**
 * MATCH-16: when nothing but lengths and numbers speaks, an album whose lengths fit the same files within the bound of
 * approval is as possible as the best one, however much closer that is: pressings differ by a second or two.
 */
function hasLengthRival(fits: readonly AlbumFit[], wanted: string | null): boolean {
  const [best, ...others] = fits;
  if (!best || best.album.album.id === wanted || (best.albumSimilarity ?? 0) >= 0.5) return false;
  const pairs = pairsOf(best);
  if (pairs.some((pair) => pair.similarity !== null)) return false;
  const fitting = nearOnes(pairs);
  return fitting > 0 && others.some((other) => nearOnes(pairsOf(other)) >= fitting * 0.7);
}

/** Pairs within the 3 s of approval that no number contradicts. */
function nearOnes(pairs: readonly PairScore[]): number {
  return pairs.filter((pair) => pair.off !== null && Math.abs(pair.off) <= 3 && pair.positionAgrees !== false).length;
}

/** An album explains a group when it takes a good part of it, better than chance, and what is named does not contradict. */
function explains(best: AlbumFit, facts: GroupFacts): boolean {
  if (facts.matched < facts.files * 0.4 || facts.meanTotal < LEAST_PER_FILE) return false;
  return facts.titlesAgree >= 0.5 || (best.albumSimilarity ?? 0) >= 0.75 || isPatterned(best);
}

function describeFile(
  file: FileReading,
  row: number,
  group: UnitGroup,
  facts: GroupFacts,
  profile: CalibrationProfile,
): FileMatch {
  const fit = group.fits[0];
  const column = fit?.given[row] ?? -1;
  const track = fit?.album.tracks[column];
  const pair = fit?.pairs[row]?.[column];
  const shown = file.positions[0];
  const otherAlbums = group.otherAlbums.get(file);
  const base = {
    file_id: file.evidence.file_id,
    group_id: '',
    detected: {
      title: file.shownTitle,
      artist: file.tagArtist,
      disc: shown?.disc ?? null,
      position: shown?.position ?? null,
    },
  };
  if (!fit || !track || !pair) {
    return {
      ...base,
      track_id: null,
      confidence: 0,
      options: optionsFor(file, relatedTracks(rankTracks(row, group.fits, -1, otherAlbums)), 0),
      reasons: [{ kind: 'unassigned', label: 'no track stands out', tone: 'bad' }],
      why: null,
    };
  }
  const others = [
    ...group.fits.slice(1).map(({ pairs }) => pairs[row] ?? []),
    ...(otherAlbums ?? []).map(({ pairs }) => pairs[0] ?? []),
  ];
  const decision = decidePair(file, fit, row, column, facts, profile, others);
  const ranked = rankTracks(row, group.fits, column, otherAlbums);
  const reasons = pairReasons(file, track, pair, fit.speed);
  reasons.push(...decision.vetoes.map(vetoReason));
  return {
    ...base,
    track_id: track.track.id,
    confidence: decision.confidence,
    reasons,
    options: optionsFor(file, relatedTracks(ranked), decision.confidence),
    why: explain({ file, fit, pair, decision, ranked }, profile),
  };
}

/** The commonest text of what more than half of those that say anything say, as `keyOf` tells things apart; else null. */
function agreed(
  files: readonly FileReading[],
  tag: 'tagAlbum' | 'tagArtist',
  keyOf: (text: string) => string,
): string | null {
  const said = files.map((file) => file[tag]).filter((text) => text !== null);
  const most = majority(said.map(keyOf));
  const same = said.filter((text) => keyOf(text) === most);
  return same.length * 2 > said.length ? majority(same) : null;
}

function detectedOf(files: readonly FileReading[]): GroupMatch['detected'] {
  const years = majority(files.map(({ evidence }) => evidence.tags.year?.toString() ?? null));
  const album = agreed(files, 'tagAlbum', albumKey);
  const artist = agreed(files, 'tagArtist', (artist) => textKey(artist).base);
  const folder = files[0]?.name.folders.at(-1);
  const words = (folder ?? '').replace(/[[(][^\])]*[\])]/g, '').split(/\s+-\s+/);
  const parts = words.map((part) => part.trim()).filter((part) => part !== '' && !/^\d{4}$/.test(part));
  return {
    album: album ?? parts.at(-1) ?? null,
    artist: artist ?? (parts.length > 1 ? (parts[0] ?? null) : null),
    year: years === null ? null : Number(years),
    tracks: files.length,
  };
}
