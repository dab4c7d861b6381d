/** A drop in which every kind of doubt occurs, and albums whose names only look like an attack. */
import type { FileTags } from '#core/media.ts';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import type { CatalogIndex } from '#lanes/music/core/index/catalog-index.ts';
import { agentCatalog } from '../../fixtures/agent-catalog.ts';
import { rowsExpecting } from '../../fixtures/hostile.ts';
import { catalogOf, fillers, FIRST, lengths, SECOND, THIRD, type AlbumPlan } from '../music/small-catalog.ts';

export interface DoubtfulWorld {
  index: CatalogIndex;
  files: FileEvidence[];
  /** Of each album one file, and every file that stands for itself: where a text is put. */
  touched: ReadonlySet<string>;
  /** Files that stand for themselves: a title that many albums have. */
  loose: string[];
  /** The files of the album in which this text is a title or an artist, and their tracks. */
  lookAlike(text: string): { files: FileEvidence[]; tracks: string[] };
}

/** Titles that every standards album has (agent-catalog.ts). */
const EVERYWHERE = ['Summertime', 'Misty'];

const FILLERS = 4;

export function doubtfulWorld(): DoubtfulWorld {
  const standards = agentCatalog();
  const alike = rowsExpecting('match_still_found').map((row, i) => lookAlikePlan(row.payload, row.surface, i));
  const made = catalogOf([FIRST, SECOND, THIRD, ...fillers(FILLERS), ...alike], 'own-');
  const index = buildCatalogIndex({
    artists: [...standards.catalog.artists, ...made.artists],
    albums: [...standards.catalog.albums, ...made.albums],
    tracks: [...standards.catalog.tracks, ...made.tracks],
  });
  const loose = EVERYWHERE.map((title, i) => file(`loose-${i}`, `mix ${i}/${title}.mp3`, 230 + i, { title }));
  return {
    index,
    files: [
      ...standards.files.map(({ path, tags, duration_ms }, i) => file(`std-${i}`, path, duration_ms / 1000, tags)),
      ...FIRST.tracks
        .slice(0, 6)
        .map(([, seconds], i) => file(`pat-${i}`, `rip/track${i + 1}.mp3`.replace('rip', 'nameless'), seconds)),
      ...loose,
      ...lengths(4711, 2).map((seconds, i) =>
        file(`new-${i}`, `Zyx/0${i + 1} Qwort ${i}.flac`, seconds, { title: `Qwort ${i}`, artist: 'Zyxomat' }),
      ),
    ],
    touched: new Set(['std-0', 'pat-0', 'new-0', ...loose.map((one) => one.file_id)]),
    loose: loose.map((one) => one.file_id),
    lookAlike(text) {
      const at = alike.findIndex((plan) => plan.artist === text || plan.tracks.some(([title]) => title === text));
      const plan = alike[at];
      const tracks = made.tracks.filter((track) => track.album_id === made.albums[3 + FILLERS + at]?.id);
      const files = tracks.map((track, i) =>
        file(`alike-${i}`, `in/${i + 1}.flac`, (track.duration_ms ?? 0) / 1000, {
          title: track.title,
          artist: track.artist,
          album: plan?.title ?? '',
          track: i + 1,
        }),
      );
      return { files, tracks: tracks.map((track) => track.id) };
    },
  };
}

function lookAlikePlan(text: string, surface: string, at: number): AlbumPlan {
  const seconds = lengths(at + 900, 5);
  const titles = ['Morning Ferry', 'Paper Lantern', 'Long Way Down', 'Winter Coat'];
  return {
    title: `Quiet Rooms ${at + 1}`,
    artist: surface === 'id3.artist' ? text : `The Quiet Ones ${at + 1}`,
    year: 2000 + at,
    tracks: [text === '' || surface === 'id3.artist' ? 'First Light' : text, ...titles].map(
      (title, i) => [title, seconds[i] ?? 100] as const,
    ),
  };
}

function file(file_id: string, path: string, seconds: number, tags: FileTags = {}): FileEvidence {
  return { file_id, path, duration_ms: Math.round(seconds * 1000), tags };
}
