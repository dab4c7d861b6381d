/**
 * A large catalog in pieces: albums with all that the file says of them, each piece a transaction with its part of the
 * change feed, so that nobody ever reads half of an album. Albums between which tracks change places are one piece.
 *
 *   look at all rows -> artists -> albums without tracks of the file -> albums with their tracks
 *
 * What says what the catalog says is counted as it is looked at, and is in no piece.
 */
import type { ImportResult } from '#core/sync/fields.ts';
import type { Album, Artist, Track } from '#lanes/music/core/catalog.ts';
import { HttpError } from '#server/http/http-error.ts';
import {
  Problems,
  WriteCounts,
  type PieceDone,
  type PreparedImport,
  type WritePiece,
} from '#server/import/import-file.ts';
import { chunks, findRows, idsOf, writeOf, type Write } from '#server/store/rows.ts';
import type { Reader, Tx } from '#server/store/schema.ts';
import { createTurns, type Turns } from '#server/turns.ts';
import { CatalogWriter, makeRoom, place } from '../store/apply-catalog.ts';
import { albumRow, artistRow, trackOver, trackRow, type AlbumTable, type TrackTable } from '../store/rows.ts';
import { checkFile, checkReferences, PART, Shapes, type CheckedFile, type ImportLists } from './import-catalog.ts';

/** Tracks that wait for the rest of their album; the others are read again when these are written. */
const MOST_WAITING = 50_000;

/** As a rule. */
const TRACKS_AN_ALBUM = 10;
/**
 * Tracks of a piece: with fewer the index of words is written over so often that the whole costs twice as much
 * (decision 160). A piece that took long is followed by a smaller one.
 */
const USUAL = { most: 2000, least: 500 };
const LONG_MS = 4000;

export interface PieceOptions {
  /** Tracks of every piece; by default as many as are written in a moment. */
  tracks?: number;
  /** Tracks that may wait for the rest of their album. */
  waiting?: number;
}

/** Looks at all rows and writes none. Throws as `importCatalog`. */
export async function prepareImport(
  db: Reader,
  lists: ImportLists,
  options: PieceOptions = {},
): Promise<PreparedImport> {
  const turns = createTurns();
  const file = await checkFile(lists);
  (await checkReferences(db, file, turns)).refuse();
  const plan = await planOf(db, file, turns);
  return { write: (piece) => new Pieces(plan, piece, turns, options).write(file) };
}

interface Plan {
  shapes: Shapes;
  groups: Groups;
  /** 1 for each row of the file's artists and tracks that has to be written, by its number. */
  artists: Uint8Array;
  tracks: Uint8Array;
  /** How many tracks have to be written, by album. */
  expected: Map<string, number>;
  /** Albums of the file that have to be written, as JSON. */
  albums: Map<string, string>;
  /** What the catalog has as the file says it. */
  unchanged: Record<'artists' | 'albums' | 'tracks', number>;
}

async function planOf(db: Reader, file: CheckedFile, turns: Turns): Promise<Plan> {
  const plan: Plan = {
    ...{ shapes: new Shapes(), groups: new Groups(), expected: new Map(), albums: new Map() },
    artists: new Uint8Array(file.ids.artists.size),
    tracks: new Uint8Array(file.ids.tracks.size),
    unchanged: { artists: 0, albums: 0, tracks: 0 },
  };
  const touched = new Set([...file.ids.albums.keys(), ...file.named.albums]);
  const problems = new Problems();
  await planTracks(db, file, plan, touched, problems, turns);
  for (const part of chunks(touched, 1, 100)) {
    for (const track of await placesIn(db, part))
      if (!file.ids.tracks.has(track.id)) plan.shapes.put(track, track.id, problems);
    await turns.rest();
  }
  problems.refuse();
  let at = 0;
  for (const part of chunks(file.artists, 1, PART)) {
    const there = await findRows(db, 'artists', idsOf(part), turns.rest);
    for (const row of part) {
      if (writeOf(there.get(row.id) ?? null, artistRow(row)) === null) plan.unchanged.artists += 1;
      else plan.artists[at] = 1;
      at += 1;
    }
  }
  for (const part of chunks(file.albums, 1, PART)) {
    const there = await findRows(db, 'albums', idsOf(part), turns.rest);
    for (const row of part) {
      if (writeOf(there.get(row.id) ?? null, albumRow({ ...row, ...plan.shapes.grown(row) })) === null)
        plan.unchanged.albums += 1;
      else plan.albums.set(row.id, JSON.stringify(row));
    }
  }
  return plan;
}

async function planTracks(
  db: Reader,
  file: CheckedFile,
  plan: Plan,
  touched: Set<string>,
  problems: Problems,
  turns: Turns,
): Promise<void> {
  let at = 0;
  for (const part of chunks(file.tracks, 1, PART)) {
    const there = await findRows(db, 'tracks', idsOf(part), turns.rest);
    for (const row of part) {
      const before = there.get(row.id) ?? null;
      if (before !== null && before.album_id !== row.album_id) {
        touched.add(before.album_id);
        plan.groups.join(before.album_id, row.album_id);
      }
      plan.shapes.put(row, at, problems);
      if (writeOf(before, over(before, row)) === null) plan.unchanged.tracks += 1;
      else {
        plan.tracks[at] = 1;
        plan.expected.set(row.album_id, (plan.expected.get(row.album_id) ?? 0) + 1);
      }
      at += 1;
    }
    await turns.rest();
  }
}

/** Which track has which place on these albums. */
const placesIn = (db: Reader, albums: readonly string[]) =>
  db.selectFrom('tracks').select(['id', 'album_id', 'disc', 'position']).where('album_id', 'in', albums).execute();

type FileTrack = Parameters<typeof trackRow>[0] & Pick<Track, 'id'>;

const over = (before: TrackTable | null, row: FileTrack): TrackTable =>
  before === null ? trackRow(row) : trackOver(before, trackRow(row));

/** Albums between which tracks change places belong together. */
class Groups {
  readonly #parent = new Map<string, string>();
  readonly #members = new Map<string, string[]>();

  /** The album that stands for all of its group. */
  of(album: string): string {
    let at = album;
    for (let up = this.#parent.get(at); up !== undefined; up = this.#parent.get(at)) at = up;
    return at;
  }

  join(a: string, b: string): void {
    const [one, other] = [this.of(a), this.of(b)];
    if (one === other) return;
    const [large, small] = this.members(one).length >= this.members(other).length ? [one, other] : [other, one];
    this.#members.set(large, [...this.members(large), ...this.members(small)]);
    this.#members.delete(small);
    this.#parent.set(small, large);
  }

  /** @param group as `of` says it */
  members(group: string): readonly string[] {
    return this.#members.get(group) ?? [group];
  }
}

interface Group {
  albums: readonly string[];
  tracks: FileTrack[];
}

/** One run over a planned file. */
class Pieces {
  readonly #plan: Plan;
  readonly #piece: WritePiece;
  readonly #turns: Turns;
  readonly #waiting: number;
  readonly #fixed: number | null;
  readonly #counts = { artists: new WriteCounts(), albums: new WriteCounts(), tracks: new WriteCounts() };
  /** Rows of the file that were dealt with. */
  #done: number;
  #size: number;

  constructor(plan: Plan, piece: WritePiece, turns: Turns, { tracks, waiting }: PieceOptions) {
    this.#plan = plan;
    this.#piece = piece;
    this.#turns = turns;
    this.#fixed = tracks ?? null;
    this.#size = tracks ?? USUAL.most;
    this.#waiting = waiting ?? MOST_WAITING;
    const { artists, albums, tracks: same } = plan.unchanged;
    this.#done = artists + albums + same;
  }

  async write(file: CheckedFile): Promise<ImportResult> {
    await this.#artists(file);
    await this.#albumsAlone();
    for (let left: ReadonlySet<string> | null = null; left === null || left.size > 0;)
      left = await this.#albums(file, left);
    const counts = (list: 'artists' | 'albums' | 'tracks') => {
      const { created, updated, unchanged } = this.#counts[list].counts();
      return { created, updated, unchanged: unchanged + this.#plan.unchanged[list] };
    };
    return { artists: counts('artists'), albums: counts('albums'), tracks: counts('tracks') };
  }

  async #artists({ artists }: CheckedFile): Promise<void> {
    let at = 0;
    for (const part of chunks(artists, 1, PART)) {
      const rows = part.filter((_, index) => this.#plan.artists[at + index] === 1);
      at += part.length;
      if (rows.length > 0)
        await this.#write(rows.length, async (tx, writer, made) => {
          const there = await findRows(tx, 'artists', idsOf(rows), this.#turns.rest);
          const writes = rows.map((row: Pick<Artist, 'id' | 'name'>) =>
            writeOf(there.get(row.id) ?? null, artistRow(row)),
          );
          await writer.write({ artists: made('artists', writes) });
        });
    }
  }

  /** Albums of which the file has no track to write: those that have are written with them. */
  async #albumsAlone(): Promise<void> {
    const { groups, expected, albums } = this.#plan;
    const isAlone = (id: string): boolean => groups.members(groups.of(id)).every((one) => !expected.has(one));
    // An album that has another title is found by it with all of its tracks.
    const size = Math.max(1, Math.floor(this.#size / TRACKS_AN_ALBUM));
    for (const part of chunks([...albums.keys()].filter(isAlone), 1, size))
      await this.#write(part.length, async (tx, writer, made) =>
        writer.write({ albums: await this.#albumWrites(tx, part, made) }),
      );
  }

  /**
   * One reading of the file's tracks: an album goes as soon as its last track was read. Where too many wait for the rest
   * of theirs (a file in no order), the last of them are put off to the next reading.
   * @param only groups that an earlier reading put off; null: all
   */
  async #albums(file: CheckedFile, only: ReadonlySet<string> | null): Promise<ReadonlySet<string>> {
    const { groups, expected, tracks } = this.#plan;
    const open = new Map<string, FileTrack[]>();
    const later = new Set<string>();
    let ready: Group[] = [];
    let [waiting, inPiece, at] = [0, 0, 0];
    const flush = async (): Promise<void> => {
      if (ready.length > 0) await this.#putGroups(ready);
      [ready, inPiece] = [[], 0];
    };
    for (const part of chunks(file.tracks, 1, PART)) {
      for (const row of part) {
        const isWanted = tracks[at] === 1;
        at += 1;
        const group = groups.of(row.album_id);
        if (!isWanted || later.has(group) || only?.has(group) === false) continue;
        const rows = open.get(group) ?? [];
        open.set(group, rows);
        rows.push(row);
        waiting += 1;
        const albums = groups.members(group);
        if (rows.length === albums.reduce((sum, album) => sum + (expected.get(album) ?? 0), 0)) {
          open.delete(group);
          waiting -= rows.length;
          ready.push({ albums, tracks: rows });
          inPiece += rows.length;
          if (inPiece >= this.#size) await flush();
        } else if (waiting > this.#waiting)
          // The first one always stays, so that every reading writes some.
          for (const [name, some] of [...open].slice(1).reverse()) {
            if (waiting <= this.#waiting / 2) break;
            open.delete(name);
            later.add(name);
            waiting -= some.length;
          }
      }
      await this.#turns.rest();
    }
    await flush();
    return later;
  }

  async #putGroups(ready: readonly Group[]): Promise<void> {
    const tracks = ready.flatMap((group) => group.tracks);
    const albums = ready.flatMap((group) => group.albums);
    const ofFile = albums.filter((id) => this.#plan.albums.has(id));
    await this.#write(ofFile.length + tracks.length, async (tx, writer, made) => {
      const there = await findRows(tx, 'tracks', idsOf(tracks), this.#turns.rest);
      await this.#checkPlaces(tx, albums, tracks);
      const moved = tracks.filter((row) => {
        const before = there.get(row.id);
        return before !== undefined && place(before) !== place(row);
      });
      await makeRoom(tx, idsOf(moved));
      const albumWrites = await this.#albumWrites(tx, albums, made);
      const writes = tracks.map((row) => {
        const before = there.get(row.id) ?? null;
        return writeOf(before, over(before, row));
      });
      await writer.write({ albums: albumWrites, tracks: made('tracks', writes) });
    });
  }

  /** Albums of the file as it says, and others as far as they grow by its tracks. */
  async #albumWrites(tx: Tx, ids: readonly string[], made: Making): Promise<Write<AlbumTable>[]> {
    const { albums, shapes } = this.#plan;
    const there = await findRows(tx, 'albums', ids, this.#turns.rest);
    const own: (Write<AlbumTable> | null)[] = [];
    const others: (Write<AlbumTable> | null)[] = [];
    for (const id of ids) {
      const before = there.get(id) ?? null;
      const text = albums.get(id);
      if (text !== undefined) {
        // Made by `planOf` of a row that was checked.
        const row = JSON.parse(text) as Album;
        own.push(writeOf(before, albumRow({ ...row, ...shapes.grown(row) })));
      } else if (before !== null) others.push(writeOf(before, { ...before, ...shapes.grown(before) }));
      else throw changed(`The album "${id}" was removed`);
    }
    return [...made('albums', own), ...others.filter((write) => write !== null)];
  }

  /** Others may have written since the file was looked at. Throws HttpError 409. */
  async #checkPlaces(tx: Tx, albums: readonly string[], tracks: readonly FileTrack[]): Promise<void> {
    const own = new Set(idsOf(tracks));
    const wanted = new Map(tracks.map((row) => [place(row), row.id]));
    for (const part of chunks(albums, 1, 100)) {
      for (const track of await placesIn(tx, part)) {
        const by = wanted.get(place(track));
        if (by !== undefined && !own.has(track.id))
          throw changed(`The place of the track "${by}" was taken by "${track.id}"`);
      }
    }
  }

  async #write(rows: number, work: (tx: Tx, writer: CatalogWriter, made: Making) => Promise<void>): Promise<void> {
    let took = 0;
    const counted: (() => void)[] = [];
    await this.#piece(async (tx): Promise<PieceDone> => {
      const begun = performance.now();
      counted.length = 0;
      const own = { artists: new WriteCounts(), albums: new WriteCounts(), tracks: new WriteCounts() };
      const writer = new CatalogWriter(tx, this.#turns.rest);
      await work(tx, writer, (list, writes) => {
        for (const write of writes) own[list].count(write);
        // Where the transaction is tried again, they are counted once.
        counted.push(() => writes.forEach((write) => this.#counts[list].count(write)));
        return writes.filter((write) => write !== null);
      });
      await writer.end();
      took = performance.now() - begun;
      return {
        rows: this.#done + rows,
        made: { artists: own.artists.counts(), albums: own.albums.counts(), tracks: own.tracks.counts() },
      };
    });
    for (const count of counted) count();
    this.#done += rows;
    if (this.#fixed !== null) return;
    if (took > LONG_MS) this.#size = Math.max(USUAL.least, this.#size / 2);
    else if (took < LONG_MS / 4) this.#size = Math.min(USUAL.most, this.#size * 2);
  }
}

/** What is to be written of a list, counted. */
type Making = <T extends object>(
  list: 'artists' | 'albums' | 'tracks',
  writes: readonly (Write<T> | null)[],
) => Write<T>[];

const changed = (what: string): HttpError =>
  new HttpError('conflict', `${what} while the file was imported.`, {
    status: 409,
    remedy: 'What was written until then stays. Send the same file again to go on.',
  });
