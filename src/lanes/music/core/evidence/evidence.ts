/** What was observed about one file, each fact with its source implied by the field it is in. */
import type { JobEvidence } from '#core/job/job.ts';
import type { FileTags } from '#core/media.ts';

export interface FileEvidence extends JobEvidence {
  codec?: string;
  /** Bits per second. */
  bitrate?: number | null;
  size_bytes?: number;
  tags: FileTags;
}

/**
 * SAFE-15: characters that turn the direction of the text around them, that control a terminal, or that pile up on one
 * letter are taken out of tags before anything is made of them, and it is said. What people write with (Hebrew with its
 * own marks, Persian with ZWNJ, emoji) stays as it is.
 */
const TURNING_OR_CONTROL = /[\u202A-\u202E\u2066-\u2069]|(?![\t\n\r])\p{Cc}/gu;
/** Marks on one letter; cantillated Hebrew and Tibetan stay below. */
const MARKS = /(\p{M}{8})\p{M}+/gu;

const TEXTS = ['title', 'artist', 'album', 'albumartist', 'genre'] as const;

/** The tags as they may be shown, and the names of those that were changed. One of which nothing is left is missing. */
export function visibleTags(tags: FileTags): { tags: FileTags; changed: string[] } {
  const visible = TEXTS.flatMap((name) => {
    const text = tags[name];
    if (text === undefined) return [];
    const shown = text.replace(TURNING_OR_CONTROL, '').replace(MARKS, '$1');
    return shown === text ? [] : [{ name, shown: shown.trim() === '' ? undefined : shown }];
  });
  const changed = visible.map(({ name }) => name);
  const kept = Object.entries(tags).filter(([name]) => !changed.some((one) => one === name));
  const shown = visible.flatMap(({ name, shown: text }) => (text === undefined ? [] : [[name, text] as const]));
  return { tags: Object.fromEntries([...kept, ...shown]), changed };
}

/** A track of an album image as a job of its own: a stretch of the file that the image is. */
export interface Segment {
  /** Milliseconds into the file, not rounded (a frame is 13.333); null: up to its end. */
  start_ms: number;
  end_ms: number | null;
  track: number;
  /** Tracks that the file was split into. */
  of: number;
  /** Name of the file as it arrived. */
  file: string;
  /** What the CUE sheet says of the track. */
  tags: FileTags;
  /** SHA-256 that identifies this stretch of the file, as the job's own does for the whole of it. */
  content: string;
}

/** Of a file of `total` milliseconds (null: not known), how long the segment is. */
function segmentLength(
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
