/** From an approved job to what is converted and what is published of it. Pure. */
import { VORBIS_QUALITY, type Settings } from '../config.ts';
import { coverRank } from '../ingest/ingesters/cover.ts';
import type { Album, Track } from '../music/catalog.ts';
import { vorbisTags } from '../music/vorbis-tags.ts';
import type { CommitRequest } from '../sync/protocol.ts';
import type { Batch, Job } from './job.ts';
import { contentOf } from './segment.ts';

export interface ConvertRequest {
  job_id: string;
  /** Of the original. */
  sha256: string;
  original_filename: string;
  /** Hz; as probed, null where the probe did not find it. */
  sample_rate: number | null;
  channels: number | null;
  duration_ms: number | null;
  /** Of Vorbis, -1..10. */
  quality: number;
  /** Vorbis comments from the catalog: TITLE, ARTIST, ALBUM, ALBUMARTIST, TRACKNUMBER, TRACKTOTAL, DISCNUMBER, DATE, ... */
  tags: Record<string, string>;
  cover: { sha256: string; mime: string } | null;
  /** Only this stretch of the file, in milliseconds, exact to the sample; `duration_ms` is its length. */
  segment?: { start_ms: number; end_ms: number | null };
}

export function convertRequest(
  job: Job & { sha256: string },
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
export function commitOfJob(
  job: Job,
  output: { sha256: string; size: number; duration_ms: number },
): Omit<CommitRequest, 'lease_id'> {
  return {
    job_id: job.id,
    track_id: job.matched_track_id ?? '',
    sha256: output.sha256,
    size: output.size,
    duration_ms: Math.round(output.duration_ms),
    original_filename: job.original_filename,
    original_sha256: contentOf(job) ?? '',
    match_confidence: job.match_confidence ?? 0,
    match_source: job.match_source ?? 'AGENT',
    request_id: job.context_type === 'DOWNLOAD_REQUEST' ? job.context_id : null,
    replace: job.replace ?? false,
  };
}

/** The file's own cover, else the one that lay in its folder, else one at the top of the batch. */
function coverOf(job: Job, batch: Batch | undefined): ConvertRequest['cover'] {
  if (job.cover_sha256 !== null) return { sha256: job.cover_sha256, mime: job.cover_mime ?? 'image/jpeg' };
  const folder = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const covers = (batch?.companions ?? [])
    .filter((one) => one.kind === 'cover' && one.sha256 !== null)
    .sort((a, b) => coverRank(a.path) - coverRank(b.path));
  const near =
    covers.find((one) => folder(one.path) === folder(job.path)) ??
    covers.find((one) => folder(job.path).startsWith(folder(one.path)));
  if (!near?.sha256) return null;
  return { sha256: near.sha256, mime: /\.png$/i.test(near.path) ? 'image/png' : 'image/jpeg' };
}
