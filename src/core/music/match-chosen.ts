import { fitAlbum } from './album-fit.ts';
import { assign } from './assign.ts';
import { describeGroup } from './describe.ts';
import type { FileMatch, GroupMatch } from './match.types.ts';
import { optionsFor } from './options.ts';
import { pairReasons } from './reasons.ts';
import { SHIPPED_PROFILE } from './profile.ts';
import type { FileReading } from './reading.ts';
import type { PairScore } from './score.ts';
import type { CatalogIndex } from './search.ts';

/**
 * MATCH-2: a person has said which album these files are. Inside it position and length decide; a name helps. A file
 * that contradicts the album stays a question.
 */
export function matchChosen(
  files: readonly FileReading[],
  albumId: string,
  index: CatalogIndex,
): { group: GroupMatch; files: FileMatch[] } {
  const album = index.indexedAlbum(albumId);
  if (!album)
    return describeGroup(
      { files: [...files], fits: [], searches: [], elsewhere: new Map(), unitFiles: files.length },
      SHIPPED_PROFILE,
      null,
    );
  const fit = fitAlbum(files, album, index, true);
  const described = describeGroup(
    { files: [...files], fits: [fit], searches: [], elsewhere: new Map(), unitFiles: files.length },
    SHIPPED_PROFILE,
    albumId,
  );
  // The album is given: only what tells its tracks apart counts, so the assignment is made again with that.
  const given = assign(
    fit.pairs.map((row) => row.map(withinAlbum)),
    0.5,
  );
  const matches = files.map((file, row): FileMatch => {
    const column = given[row] ?? -1;
    const track = album.tracks[column];
    const pair = fit.pairs[row]?.[column];
    const before = described.files[row] as FileMatch;
    if (!track || !pair) return { ...before, track_id: null, confidence: 0, reasons: [] };
    const confidence = chosenConfidence(pair);
    const reasons = [
      { kind: 'chosen', label: 'album chosen by you', tone: 'good' as const },
      ...pairReasons(file, track, pair, fit.speed),
    ];
    return {
      ...before,
      track_id: track.track.id,
      confidence,
      reasons,
      options: optionsFor(file, row, [{ ...fit, given }], column, confidence),
    };
  });
  return {
    group: {
      ...described.group,
      verdict: 'matched',
      album_id: albumId,
      confidence: 1,
      reasons: [{ kind: 'chosen', label: 'album chosen by you', tone: 'good' }, ...described.group.reasons],
    },
    files: matches,
  };
}

function withinAlbum(pair: PairScore): number {
  return pair.title + pair.duration + pair.position * 1.5 + pair.version;
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
