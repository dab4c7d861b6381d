/** Tags and cover of any container, through music-metadata, in the one form that the core knows. */
import { parseBlob, selectCover, type IAudioMetadata, type ICommonTagsResult, type IPicture } from 'music-metadata';
import type { FileKind } from '#core/ingest/file-kinds.ts';
import type { FileTags } from '#core/media.ts';
import { cafInfo, tagSource, unsaidTexts } from './tag-source.ts';
import { latin1Repair } from './legacy-text.ts';
import { paged } from './paged-blob.ts';
import { pictureType } from './picture-type.ts';

export interface Cover {
  bytes: Uint8Array;
  mime: string;
}

export interface TagsRead {
  tags: FileTags;
  cover: Cover | null;
  /** A CUE sheet among the tags. */
  cue: string | null;
}

/** A picture above this is left out: it is no cover but a burden for every player. Bytes. */
const COVER_LIMIT = 16 * 1024 ** 2;
/** Characters kept of one value; a longer one is a mistake or an attack. */
const VALUE_LIMIT = 1000;

/**
 * Never throws: a file whose tags cannot be read has none. `kind` is what the file is, where that is known; `file` the
 * same blob in pages, some of which were read already.
 */
export async function readTags(blob: Blob, kind: FileKind | null = null, file = paged(blob)): Promise<TagsRead> {
  try {
    if (kind === 'caf') return { tags: plainTags(await cafInfo(file)), cover: null, cue: null };
    // `duration` stays off: it would walk the whole file, for seconds.
    const source = await tagSource(blob, kind);
    const pages = source === blob ? file : paged(source);
    const { common, native } = await parseBlob(pages, { duration: false, skipCovers: false });
    const free = freeTags(native);
    const cue = free.get('cuesheet') ?? null;
    const repaired = latin1Repair(await unsaidTexts(pages, native));
    return {
      tags: toFileTags(common, free, repaired),
      cover: toCover(selectCover(common.picture)),
      cue: cue && repaired(cue),
    };
  } catch {
    return { tags: {}, cover: null, cue: null };
  }
}

/**
 * The core's form of what music-metadata found, with `free` for what its own tables do not know.
 * Numbers are whole and positive, or missing. `repaired` puts texts right that were read in a wrong encoding.
 */
function toFileTags(
  common: ICommonTagsResult,
  free: Map<string, string>,
  repaired: (text: string) => string,
): FileTags {
  const tags: FileTags = {};
  const { title, artist, artists, album, albumartist, genre } = common;
  const text = (key: 'title' | 'artist' | 'album' | 'albumartist' | 'genre', value: string | undefined): void => {
    const clean = cleaned(value === undefined ? undefined : repaired(value));
    if (clean !== null) tags[key] = clean;
  };
  const number = (
    key: 'track' | 'tracktotal' | 'disc' | 'disctotal' | 'year',
    value: number | string | null | undefined,
  ): void => {
    const whole = typeof value === 'string' ? Number.parseInt(value, 10) : (value ?? 0);
    if (Number.isInteger(whole) && whole > 0 && whole < 10_000) tags[key] = whole;
  };
  text('title', title);
  text('artist', artist ?? artists?.map(repaired).join(', '));
  text('album', album);
  text('albumartist', albumartist);
  text('genre', genre?.map(repaired).join(', '));
  number('track', common.track.no);
  number('tracktotal', common.track.of ?? common.totaltracks);
  number('disc', common.disk.no);
  number('disctotal', common.disk.of ?? common.totaldiscs);
  number(
    'year',
    common.year ??
      /\d{4}/.exec(common.date ?? '')?.[0] ??
      common.originalyear ??
      /\d{4}/.exec(free.get('date') ?? '')?.[0],
  );
  const compilation = common.compilation ?? flag(free.get('compilation') ?? free.get('tcmp'));
  if (compilation !== undefined) tags.compilation = compilation;
  const ids = externalIds(common, free);
  if (Object.keys(ids).length > 0) tags.external_ids = ids;
  return tags;
}

/** Pairs of a name and a value, as Core Audio and simple tags have them; `track` may be `3/12`. */
function plainTags(pairs: Map<string, string>): FileTags {
  const numbers = (value: string | undefined): { no: number | null; of: number | null } => {
    const [no, of] = (value ?? '').split('/').map((part) => Number.parseInt(part, 10));
    return { no: no || null, of: of || null };
  };
  const bare = new Map([...pairs].map(([name, value]) => [name.replace(/[^a-z0-9]/g, ''), value] as const));
  const common: ICommonTagsResult = {
    track: numbers(bare.get('track') ?? bare.get('tracknumber')),
    disk: numbers(bare.get('disc') ?? bare.get('discnumber')),
    movementIndex: { no: null, of: null },
  };
  for (const key of ['title', 'artist', 'album', 'albumartist'] as const) {
    const value = bare.get(key);
    if (value !== undefined) common[key] = value;
  }
  const [date, genre] = [bare.get('date') ?? bare.get('year') ?? bare.get('recordeddate'), bare.get('genre')];
  if (date !== undefined) common.date = date;
  if (genre !== undefined) common.genre = [genre];
  return toFileTags(common, bare, latin1Repair([]));
}

const ID_KEYS = [
  'musicbrainz_recordingid',
  'musicbrainz_trackid',
  'musicbrainz_albumid',
  'musicbrainz_artistid',
  'musicbrainz_albumartistid',
  'musicbrainz_releasegroupid',
  'musicbrainz_workid',
  'musicbrainz_discid',
  'isrc',
  'barcode',
  'asin',
  'catalognumber',
  'acoustid_id',
] as const;

/** Identifiers in other catalogs; of several under one name, the first. */
function externalIds(common: ICommonTagsResult, free: Map<string, string>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const key of ID_KEYS) {
    const value = common[key];
    const clean = cleaned(Array.isArray(value) ? value[0] : value) ?? cleaned(free.get(key.replaceAll('_', '')));
    if (clean !== null) found[key] = clean;
  }
  return found;
}

/**
 * Text tags by bare lower-case name, whatever their container wraps around it: `TXXX:MUSICBRAINZ_ALBUMID`,
 * `WM/Barcode` and `----:com.apple.iTunes:ISRC` are `musicbrainzalbumid`, `barcode` and `isrc`.
 */
function freeTags(native: IAudioMetadata['native']): Map<string, string> {
  const found = new Map<string, string>();
  for (const { id, value } of Object.values(native).flat()) {
    const bare = id
      .replace(/^(TXXX:|WM\/|----:[^:]*:)/i, '')
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '');
    if (typeof value === 'string' && !found.has(bare)) found.set(bare, value);
  }
  return found;
}

function flag(value: string | undefined): boolean | undefined {
  return value === undefined ? undefined : value === '1' || value.toLowerCase() === 'true';
}

/** Without NULs and surrounding space; null when nothing is left. */
function cleaned(value: string | undefined): string | null {
  if (typeof value !== 'string') return null;
  const clean = value.replaceAll('\0', ' ').trim().slice(0, VALUE_LIMIT);
  return clean === '' ? null : clean;
}

function toCover(picture: IPicture | null): Cover | null {
  const mime = picture && pictureType(picture.data);
  if (!mime || picture.data.length > COVER_LIMIT) return null;
  return { bytes: new Uint8Array(picture.data), mime };
}
