import { decidePair } from './decide.ts';
import { groupFacts } from './group-facts.ts';
import type { Veto } from './vetoes.ts';
import { describeGroup } from './describe.ts';
import { explain } from './explain.ts';
import type { Reason } from '#core/job/reason.ts';
import type { FileMatch, GroupMatch } from './match.types.ts';
import { optionsFor, rankTracks } from './options.ts';
import { ALBUM_CHOSEN, pairReasons, vetoReason } from './reasons.ts';
import { SHIPPED_PROFILE, type CalibrationProfile } from '../calibration/profile.ts';
import type { FileReading } from '../names/reading.ts';
import type { PairScore } from './score.ts';
import type { CatalogIndex, IndexedAlbum } from '../index/catalog-index.ts';
import { durationShare, fitAlbum, type AlbumFit } from './album-fit.ts';
import { assign } from './assign.ts';

/** MATCH-2: what an album makes of files once a person has said that they are of it. */

/** Inside a chosen album little evidence is enough to place a file (log). */
const FLOOR = 0.5;

/**
 * The album is given: only what tells its tracks apart counts, so the assignment is made with that alone. The table of
 * an album question is made of this as well, so that it shows what the answer does.
 */
export function chosenFit(
  files: readonly FileReading[],
  album: IndexedAlbum,
  index: CatalogIndex,
  fixed: Fixed = {},
): AlbumFit {
  const fit = fitAlbum(files, album, index, true);
  const columns = fixedColumns(files, album, fixed);
  const held = new Set(columns.values());
  const given = assign(
    fit.pairs.map((row, at) => {
      const own = columns.get(at);
      if (own !== undefined) return row.map((_, column) => (column === own ? FIXED : -FIXED));
      return row.map((pair, column) => (held.has(column) ? -FIXED : withinAlbum(pair)));
    }),
    FLOOR,
  );
  const taken = new Set(given.filter((column) => column >= 0));
  return {
    ...fit,
    given,
    shared: files.map(() => false),
    matched: taken.size,
    coverage: album.tracks.length === 0 ? 0 : taken.size / album.tracks.length,
    durationShare: durationShare(fit.pairs, files, given),
  };
}

/** A person's word about single files: the track of each, or none. */
type Fixed = Readonly<Record<string, string | null>>;
/** Outweighs every comparison (log). */
const FIXED = 1000;

/** MATCH-112: the place on the album of each file that a person gave a track, -1 where it is not on it. */
function fixedColumns(files: readonly FileReading[], album: IndexedAlbum, fixed: Fixed): Map<number, number> {
  const places = new Map(album.tracks.map(({ track }, column) => [track.id, column]));
  return new Map(
    files.flatMap(({ evidence }, row): [number, number][] => {
      const said = Object.hasOwn(fixed, evidence.file_id) ? fixed[evidence.file_id] : undefined;
      return said === undefined ? [] : [[row, said === null ? -1 : (places.get(said) ?? -1)]];
    }),
  );
}

function withinAlbum(pair: PairScore): number {
  return pair.title + pair.duration + pair.position * 1.5 + pair.version;
}

/**
 * MATCH-2: a person has said which album these files are. Inside it position and length decide; a name helps. A file
 * that contradicts the album stays a question.
 */
export function matchChosen(
  files: readonly FileReading[],
  albumId: string,
  index: CatalogIndex,
  profile: CalibrationProfile = SHIPPED_PROFILE,
  fixed: Fixed = {},
): { group: GroupMatch; files: FileMatch[] } {
  const album = index.indexedAlbum(albumId);
  const chosen = album ? chosenFit(files, album, index, fixed) : null;
  const described = describeGroup(
    {
      files: [...files],
      fits: chosen ? [chosen] : [],
      searches: [],
      otherAlbums: new Map(),
      unitFiles: files.length,
    },
    profile,
    chosen ? albumId : null,
    (fit) => fit,
  );
  if (!album || !chosen) return described;
  const { given } = chosen;
  const facts = groupFacts(files, [chosen], files.length);
  const matches = files.map((file, row): FileMatch => {
    const column = given[row] ?? -1;
    const track = album.tracks[column];
    const pair = chosen.pairs[row]?.[column];
    const before = described.files[row] as FileMatch;
    if (!track || !pair) return { ...before, track_id: null, confidence: 0, reasons: [], why: null };
    const confidence = chosenConfidence(pair);
    const vetoes = contradictions(pair);
    const ranked = rankTracks(row, [chosen], column);
    const { features, raw } = decidePair(file, chosen, row, column, facts, profile);
    const reasons: Reason[] = [
      ALBUM_CHOSEN,
      ...pairReasons(file, track, pair, chosen.speed),
      ...vetoes.map(vetoReason),
    ];
    return {
      ...before,
      track_id: track.track.id,
      confidence,
      reasons,
      options: optionsFor(file, ranked, confidence),
      why: {
        ...explain({ file, fit: chosen, pair, decision: { features, raw, vetoes }, ranked }, profile),
        limit: 'album_chosen',
      },
    };
  });
  return {
    group: {
      ...described.group,
      verdict: 'matched',
      album_id: albumId,
      confidence: 1,
      reasons: [ALBUM_CHOSEN, ...described.group.reasons],
    },
    files: matches,
  };
}

/** What speaks against the album that was chosen: the file stays a question, whatever the threshold is. */
function contradictions(pair: PairScore): Pick<Veto, 'kind' | 'label'>[] {
  const found: Pick<Veto, 'kind' | 'label'>[] = [];
  const off = pair.off === null ? null : Math.abs(pair.off);
  if (off !== null && off > 3) found.push({ kind: 'length', label: `length off by ${off.toFixed(0)} s` });
  if (pair.versionExtra.length > 0) found.push({ kind: 'version', label: `says ${pair.versionExtra.join(', ')}` });
  const differs = pair.similarity !== null && pair.similarity < 0.5;
  if (differs && !(off !== null && off <= 3 && pair.positionAgrees === true))
    found.push({ kind: 'title', label: 'title differs' });
  return found;
}

/** Two of title, position and length must agree, and none may contradict. */
function chosenConfidence(pair: PairScore): number {
  const title = pair.similarity === null ? null : pair.similarity >= 0.75 ? true : pair.similarity < 0.5 ? false : null;
  const length = pair.off === null ? null : Math.abs(pair.off) <= 3;
  const facts = [title, length, pair.positionAgrees];
  const agree = facts.filter((fact) => fact === true).length;
  if (length === false || pair.versionExtra.length > 0) return 0.5;
  if (title === false && !(length === true && pair.positionAgrees === true)) return 0.55;
  if (agree >= 2) return agree === 3 ? 0.99 : 0.96;
  return title === true ? 0.92 : 0.7;
}
