/** From an approved job to what is converted and what is published of it. Pure. */
import { VORBIS_QUALITY, type Settings } from '#core/config.ts';
import type { ConvertRequest } from '#core/media.ts';
import { coverRank } from '../ingesters.ts';
import type { Album, Track } from '../catalog.ts';
import type { CommitRequest } from '#core/sync/protocol.ts';
import { contentOf, type Batch, type JobIn } from '#core/job/job.ts';
import type { MusicJob, MusicTypes } from '../types.ts';

/**
 * Vorbis comments of a published file, from the catalog alone (never from the file).
 * Field names: https://www.xiph.org/vorbis/doc/v-comment.html and Picard's mapping for the MusicBrainz ids.
 */
function vorbisTags(track: Track, album: Album | undefined): Record<string, string> {
  const tags: Record<string, string> = {
    TITLE: track.title,
    ARTIST: track.artist,
    TRACKNUMBER: String(track.position),
    DISCNUMBER: String(track.disc),
  };
  if (album) {
    tags['ALBUM'] = album.title;
    tags['ALBUMARTIST'] = album.artist;
    if (album.year !== null) tags['DATE'] = String(album.year);
    if (album.discs > 1) tags['DISCTOTAL'] = String(album.discs);
    else if (album.track_count > 0) tags['TRACKTOTAL'] = String(album.track_count);
    if (album.is_compilation) tags['COMPILATION'] = '1';
    addId(tags, 'MUSICBRAINZ_ALBUMID', album.external_ids?.['musicbrainz_albumid']);
    addId(tags, 'BARCODE', album.external_ids?.['barcode']);
  }
  addId(tags, 'MUSICBRAINZ_TRACKID', track.external_ids?.['musicbrainz_recordingid']);
  addId(tags, 'ISRC', track.external_ids?.['isrc']);
  return tags;
}

function addId(tags: Record<string, string>, name: string, value: string | undefined): void {
  if (value !== undefined && value !== '') tags[name] = value;
}

export function convertRequest(
  job: JobIn<'approved' | 'converting', MusicTypes>,
  batch: Batch | undefined,
  track: Track,
  album: Album | undefined,
  bitrate: Settings['output_bitrate'],
): ConvertRequest {
  return {
    job_id: job.id,
    sha256: job.sha256,
    original_filename: job.original_filename,
    sample_rate: job.sample_rate,
    channels: job.channels,
    duration_ms: job.duration_ms,
    quality: VORBIS_QUALITY[bitrate],
    tags: vorbisTags(track, album),
    cover: coverOf(job, batch),
    ...(job.segment ? { segment: { start_ms: job.segment.start_ms, end_ms: job.segment.end_ms } } : {}),
  };
}

/** What publishes a converted job. */
export function commitOfJob(job: JobIn<'waiting', MusicTypes>): Omit<CommitRequest, 'lease_id'> {
  return {
    job_id: job.id,
    track_id: job.matched_track_id,
    sha256: job.output_sha256,
    size: job.output_size,
    duration_ms: Math.round(job.output_duration_ms),
    original_filename: job.original_filename,
    original_sha256: contentOf(job) ?? '',
    match_confidence: job.match_confidence,
    match_source: job.match_source,
    request_id: job.context_type === 'DOWNLOAD_REQUEST' ? job.context_id : null,
    replace: job.replace ?? false,
  };
}

/** A picture that lay beside the files. */
export interface CoverBeside {
  path: string;
  sha256: string;
  mime: string;
}

/** Pictures of a drop that may be covers, the likeliest first. */
export function coversBeside(companions: Batch['companions']): CoverBeside[] {
  return companions
    .flatMap(({ kind, path, sha256 }) => (kind === 'cover' && sha256 !== null ? [{ path, sha256 }] : []))
    .sort((a, b) => coverRank(a.path) - coverRank(b.path))
    .map((one) => ({ ...one, mime: /\.png$/i.test(one.path) ? 'image/png' : 'image/jpeg' }));
}

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** What a person chose, else the file's own cover, else the one that lay in its folder, else one at the top of the batch. */
export function coverOf(
  job: Pick<MusicJob, 'path' | 'cover_sha256' | 'cover_mime' | 'cover_chosen'>,
  batch: Pick<Batch, 'companions'> | undefined,
): ConvertRequest['cover'] {
  if (job.cover_chosen) return { sha256: job.cover_chosen.sha256, mime: job.cover_chosen.mime };
  if (job.cover_sha256 !== null) return { sha256: job.cover_sha256, mime: job.cover_mime ?? 'image/jpeg' };
  const covers = coversBeside(batch?.companions ?? []);
  const near =
    covers.find((one) => folderOf(one.path) === folderOf(job.path)) ??
    covers.find((one) => folderOf(job.path).startsWith(folderOf(one.path)));
  return near === undefined ? null : { sha256: near.sha256, mime: near.mime };
}
