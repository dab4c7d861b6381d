/** A track of an album image as a job of its own: a stretch of the file that the image is. */
import type { FileTags } from '#core/media.ts';
import type { FileEvidence } from './evidence.ts';
import { visibleTags } from './visible-tags.ts';

export interface Segment {
  /** Milliseconds into the file, not rounded; null: up to its end. */
  start_ms: number;
  end_ms: number | null;
  track: number;
  /** Tracks that the file was split into. */
  of: number;
  /** Name of the file as it arrived. */
  file: string;
  /** What the CUE sheet says of the track. */
  tags: FileTags;
  /** SHA-256 that stands for this stretch of the file, as the job's own does for the whole of it. */
  content: string;
}

/** Of a file of `total` milliseconds (null: not known), how long the segment is. */
export function segmentLength(
  { start_ms, end_ms }: Pick<Segment, 'start_ms' | 'end_ms'>,
  total: number | null,
): number | null {
  const end = end_ms ?? total;
  return end === null ? null : Math.max(0, end - start_ms);
}

/** Identifiers of a whole file that say nothing of one track in it; nor do its title and numbers. */
const IDS_OF_THE_WHOLE = ['isrc', 'musicbrainz_recordingid', 'musicbrainz_trackid', 'acoustid_id'];

/** The evidence of one track, out of what the probe found of the whole file. */
export function evidenceOfSegment(whole: FileEvidence, segment: Segment): FileEvidence {
  const { title: _title, track: _track, tracktotal: _total, external_ids: ids = {}, ...common } = whole.tags;
  const tags: FileTags = { ...common, ...segment.tags };
  const ofAll = Object.entries(ids).filter(([name]) => !IDS_OF_THE_WHOLE.includes(name));
  const known = { ...Object.fromEntries(ofAll), ...segment.tags.external_ids };
  if (Object.keys(known).length > 0) tags.external_ids = known;
  const length = segmentLength(segment, whole.duration_ms);
  return { ...whole, duration_ms: length === null ? null : Math.round(length), tags };
}

/** The part of the file's bytes that the segment takes, by its length. */
export function bytesOfSegment(
  bytes: number,
  segment: Pick<Segment, 'start_ms' | 'end_ms'>,
  total: number | null,
): number {
  const length = segmentLength(segment, total);
  return length !== null && total ? Math.round((bytes * length) / total) : bytes;
}

/** `album/02 A Title.flac` for the second track of `album.flac`: a folder of its own, as if it had come that way. */
export function segmentPath(path: string, { track, tags }: { track: number; tags: FileTags }): string {
  const ending = /\.[^./]{1,5}$/.exec(path)?.[0] ?? '';
  const title = (visibleTags(tags).tags.title ?? `Track ${track}`).replace(/[\\/:*?"<>|\s]+/g, ' ').trim();
  const name = [...title].slice(0, 80).join('');
  return `${path.slice(0, path.length - ending.length)}/${String(track).padStart(2, '0')} ${name}${ending}`;
}
