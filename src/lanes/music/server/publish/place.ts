/** Where published audio goes, and where replaced audio goes. */
import type { OggVorbisInfo } from '#adapters/media/ogg/ogg-vorbis.ts';
import type { CatalogDeps } from '#server/deps.ts';
import { HttpError } from '#server/http/http-error.ts';
import { appendChanges } from '#server/store/feed.ts';
import { checksOf } from '#server/storage/file-check.ts';
import { findRow } from '#server/store/rows.ts';
import type { Reader, Tx } from '#server/store/schema.ts';
import { existing, NO_AUDIO, type AudioColumns, type FormerMediaTable, type TrackTable } from '../store/rows.ts';

/**
 * The path of a track's audio under the media directory: `Artist/Album (Year)/D-NN Title.ogg`. Names come from
 * the catalog, which takes them from anybody: each part becomes one harmless name on every file system.
 */
type PathSource = Pick<TrackTable, 'artist' | 'disc' | 'position' | 'title'> & { album: string; year: number | null };

/** Bytes of UTF-8 a name may have. File systems take 255; this leaves room for a suffix and a temporary ending. */
const MAX_BYTES = 180;

/** Separators, what Windows refuses, controls, and characters that reorder or hide text. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029<>:"/\\|?*]/gu;
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;

/** The path, `/` separated. @param suffix tells files apart that would have the same name */
export function catalogPath(source: PathSource, suffix: string | null = null): string {
  const album = source.year === null ? source.album : `${shorten(source.album, MAX_BYTES - 8)} (${source.year})`;
  const number = `${source.disc}-${String(source.position).padStart(2, '0')}`;
  const end = `${suffix === null ? '' : ` [${safeName(suffix)}]`}.ogg`;
  const room = MAX_BYTES - number.length - 1 - Buffer.byteLength(end);
  const file = `${number} ${shorten(safeName(source.title), room)}`.trimEnd();
  return `${safeName(source.artist)}/${safeName(album)}/${file}${end}`;
}

/** One name without separators, that no file system takes for something else. Never empty. */
export function safeName(text: string): string {
  const plain = text.normalize('NFC').replace(UNSAFE, '_').replace(/\s+/g, ' ');
  // Dots at the front hide a file or lead upwards; dots and blanks at the end are cut by Windows.
  const trimmed = plain
    .trim()
    .replace(/^\.+/, '_')
    .replace(/[. ]+$/, '');
  const name = shorten(trimmed, MAX_BYTES).replace(/[. ]+$/, '');
  if (name === '') return '_';
  return RESERVED.test(name) ? `_${name}` : name;
}

/** Cut to so many bytes of UTF-8, between characters. */
function shorten(text: string, bytes: number): string {
  let used = 0;
  let out = '';
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > bytes) break;
    out += character;
  }
  return out;
}

export type PlaceDeps = Pick<CatalogDeps, 'store' | 'blobs' | 'clock'>;

/**
 * Puts a verified upload under the track's catalog path, or beside what is there under that name, and returns the
 * path. It is noted first: a note that no transaction took up is cleared, with its file, at the next start.
 */
async function placeNew(deps: PlaceDeps, track: TrackTable, sha256: string): Promise<string> {
  const album = await existing(deps.store.db, 'albums', track.album_id);
  await unplaceLeft(deps);
  const source = { ...track, artist: album.artist, album: album.title, year: album.year };
  const short = sha256.slice(0, 8);
  for (const suffix of [null, track.id, `${track.id} ${short}`, `${track.id} ${short} ${deps.clock.now()}`]) {
    const path = catalogPath(source, suffix);
    // Whatever is there is not ours to note: a note may lead to its file being removed.
    if ((await deps.blobs.size(path)) !== null) continue;
    const row = { path, created_at: deps.clock.now() };
    const noted = await deps.store.write((tx) =>
      tx
        .insertInto('placements')
        .values(row)
        .onConflict((c) => c.doNothing())
        .returning('path')
        .executeTakeFirst(),
    );
    // Another commit is about to put its file there.
    if (!noted) continue;
    const forget = () => deps.store.write((tx) => tx.deleteFrom('placements').where('path', '=', path).execute());
    const placed = await deps.blobs.place(sha256, path).catch(async (error: unknown) => {
      // It may be there already, and only not be known to last.
      await unplaceAfter(deps, path);
      throw error;
    });
    if (placed) return path;
    await forget();
  }
  throw new Error(`there is no free name for track ${track.id}`);
}

/**
 * Takes a placed file away whose transaction failed, or only seems to: a commit may be done though its answer is lost,
 * and it took the note away then. Where this cannot be done now, the next start does it (recover.ts). Answers whether
 * the file was removed.
 */
async function unplace(deps: Pick<PlaceDeps, 'store' | 'blobs'>, path: string): Promise<boolean> {
  return deps.store.write(async (tx) => {
    const note = await tx.deleteFrom('placements').where('path', '=', path).executeTakeFirst();
    const owner = await tx.selectFrom('tracks').select('id').where('output_file_path', '=', path).executeTakeFirst();
    const cover = await tx.selectFrom('album_covers').select('sha256').where('path', '=', path).executeTakeFirst();
    if (note.numDeletedRows === 0n || owner || cover) return false;
    await deps.blobs.remove(path);
    return true;
  });
}

/** Placed files that could not be taken away, by database, with when that was: nobody is about to publish them. */
const LEFT = new WeakMap<CatalogDeps['store'], Map<string, number>>();
/** Later another process may have cleared a note, and another commit have made it anew. Milliseconds. */
const OURS_MS = 1_800_000;

/**
 * As `unplace`, after a failure that the caller is about to tell. Where the disk or the database do not let it, the file
 * is taken away before the next one is placed (FAULT-6), or by the next start.
 */
export async function unplaceAfter(deps: PlaceDeps, path: string): Promise<void> {
  try {
    await unplace(deps, path);
  } catch {
    const left = LEFT.get(deps.store) ?? new Map<string, number>();
    LEFT.set(deps.store, left.set(path, deps.clock.now()));
  }
}

async function unplaceLeft(deps: PlaceDeps): Promise<void> {
  const left = LEFT.get(deps.store) ?? new Map<string, number>();
  for (const [path, at] of left) {
    if (Math.abs(deps.clock.now() - at) < OURS_MS) await unplace(deps, path);
    left.delete(path);
  }
}

/** Throws HttpError 404. */
export async function trackOf(db: Reader, id: string): Promise<TrackTable> {
  const track = await findRow(db, 'tracks', id);
  if (!track) throw new HttpError('not_found', `There is no track "${id}" in the catalog.`);
  return track;
}

/**
 * Places an upload as the audio of a track, and runs the transaction that makes it so; where that fails, the file is
 * taken away again.
 */
export async function publishAt<T>(
  deps: PlaceDeps,
  track: TrackTable,
  sha256: string,
  work: (tx: Tx, path: string) => Promise<T>,
): Promise<T> {
  const path = await placeNew(deps, track, sha256);
  try {
    return await deps.store.write((tx) => work(tx, path));
  } catch (error) {
    await unplaceAfter(deps, path);
    throw error;
  }
}

/** What a track has instead; `path` is the placed file's. */
interface NewAudio {
  path: string;
  sha256: string;
  original_sha256: string | null;
  info: OggVorbisInfo;
}

/**
 * Gives a track other audio, or none, and appends that to the feed. Where the audio that it had goes is written down with the
 * change itself, so that it cannot be lost sight of. Throws HttpError 503.
 */
export async function changeAudio(
  tx: Tx,
  track: TrackTable,
  audio: NewAudio | null,
  ended: { at: number; by: string },
): Promise<TrackTable> {
  if (track.audio_sha256 !== audio?.sha256) await noteFormer(tx, track, ended, audio ? 'replaced' : 'unpublished');
  const now: AudioColumns = audio
    ? {
        availability: 'available',
        output_file_path: audio.path,
        audio_sha256: audio.sha256,
        original_sha256: audio.original_sha256,
        audio_size: audio.info.size,
        audio_duration_ms: audio.info.duration_ms,
      }
    : NO_AUDIO;
  const version = track.version + 1;
  await tx
    .updateTable('tracks')
    .set({ ...now, lost_sha256: null, version })
    .where('id', '=', track.id)
    .execute();
  if (audio) {
    const note = await tx.deleteFrom('placements').where('path', '=', audio.path).executeTakeFirst();
    // Another process that started took the note for what a crash had left, and the file is gone.
    const cleared = 'The placed file was cleared away meanwhile; send this again.';
    if (note.numDeletedRows === 0n) throw new HttpError('server_error', cleared, { status: 503 });
  }
  await appendChanges(tx, [{ kind: 'track', entity_id: track.id }]);
  return { ...track, ...now, version };
}

/** Published audio with this hash whose file is really there and right, or null. */
export async function placedAudio(deps: PlaceDeps, sha256: string): Promise<{ path: string; size: number } | null> {
  const rows = await deps.store.db
    .selectFrom('tracks')
    .select(['output_file_path', 'audio_size'])
    .where('audio_sha256', '=', sha256)
    .execute();
  for (const { output_file_path: path, audio_size } of rows) {
    if (path === null) continue;
    const file = { root: 'media', path, sha256, size: Number(audio_size) } as const;
    const { state, wrong } = await checksOf(deps.blobs).check(file);
    if (wrong === null) return { path, size: state.size };
  }
  return null;
}

/** `Artist/Album/1-01 Title.ogg` with the beginning of its hash: the same track may be replaced more than once. */
export function formerPath(path: string, sha256: string): string {
  return path.replace(/\.ogg$/, ` [${sha256.slice(0, 8)}].ogg`);
}

/** The path that audio had before it was moved to this one; null for one that no audio is moved to. */
export function unformerPath(former: string): string | null {
  const [, path] = /^(.+) \[[0-9a-f]{8}\]\.ogg$/s.exec(former) ?? [];
  return path === undefined ? null : `${path}.ogg`;
}

/**
 * Moves replaced audio to where former audio is kept. Safe to repeat: what has the name now is moved only while
 * no track and no commit under way has it (the name is free once the audio was moved, whether that was noted or not).
 */
export async function retire(deps: PlaceDeps, path: string, sha256: string): Promise<void> {
  await deps.store.write(async (tx) => {
    const waiting = await tx
      .updateTable('former_media')
      .set({ moved: 1 })
      .where('path', '=', path)
      .where('sha256', '=', sha256)
      .where('moved', '=', 0)
      .returning('path')
      .executeTakeFirst();
    if (!waiting) return;
    const owner = await tx.selectFrom('tracks').select('id').where('output_file_path', '=', path).executeTakeFirst();
    const noted = await tx.selectFrom('placements').select('path').where('path', '=', path).executeTakeFirst();
    if (!owner && !noted) await deps.blobs.retire(path, formerPath(path, sha256));
  });
}

async function noteFormer(
  tx: Tx,
  track: TrackTable,
  ended: { at: number; by: string },
  reason: 'replaced' | 'unpublished',
): Promise<void> {
  const { id, output_file_path: path, audio_sha256: sha256, audio_size, audio_duration_ms, original_sha256 } = track;
  if (path === null || sha256 === null) return;
  const again = { replaced_at: ended.at, moved: 0, replaced_by: ended.by, reason };
  const audio = { sha256, audio_size, audio_duration_ms, original_sha256 };
  const row: FormerMediaTable = { ...again, ...audio, path, former_path: formerPath(path, sha256), track_id: id };
  await tx
    .insertInto('former_media')
    .values(row)
    .onConflict((c) => c.columns(['path', 'sha256', 'track_id']).doUpdateSet(again))
    .execute();
}

/**
 * Moves the audio that a track had out of the media directory, unless `now` is the very same; what fails here is done
 * at the next start (recover.ts).
 */
export async function retireFormer(
  deps: PlaceDeps & Pick<CatalogDeps, 'log'>,
  before: Pick<TrackTable, 'output_file_path' | 'audio_sha256'>,
  now: string | null,
): Promise<void> {
  const { output_file_path: path, audio_sha256 } = before;
  if (path === null || audio_sha256 === null || audio_sha256 === now) return;
  try {
    await retire(deps, path, audio_sha256);
  } catch (error) {
    deps.log.warn('replaced audio could not be moved yet', { path, error: String(error) });
  }
}

/**
 * At the start: files that were placed for a commit whose transaction did not happen, and replaced audio that was not
 * moved yet. Such a transaction takes its note away itself: it and this one cannot both succeed.
 * @param before what was noted later may be another process's work under way, milliseconds since the epoch
 */
export async function recoverPlaces(deps: PlaceDeps & Pick<CatalogDeps, 'log'>, before: number): Promise<void> {
  const { db } = deps.store;
  const notes = db.selectFrom('placements').select('path').where('created_at', '<=', before);
  for (const { path } of await notes.execute())
    if (await unplace(deps, path)) deps.log.info('removed a file that was placed and never published', { path });
  const unmoved = db.selectFrom('former_media').select(['path', 'sha256']).where('moved', '=', 0);
  for (const { path, sha256 } of await unmoved.execute())
    await retireFormer(deps, { output_file_path: path, audio_sha256: sha256 }, null);
}
