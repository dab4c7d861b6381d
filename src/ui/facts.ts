import type { Job } from '#core/job/job.ts';
import { formatDuration } from '#core/job/transitions.ts';
import { bytes, moment } from './words.ts';

export interface Fact {
  name: string;
  value: string | null;
  mono?: boolean;
}

/** What is known about a file, for its page. */
export function jobFacts(job: Job): Fact[] {
  const tags = job.evidence?.tags;
  return [
    { name: 'Path in the drop', value: job.path, mono: true },
    { name: 'Size', value: bytes(job.file_size_bytes) },
    { name: 'Length', value: job.duration_ms === null ? null : formatDuration(job.duration_ms) },
    { name: 'Codec', value: codec(job) },
    { name: 'Tags', value: tags === undefined ? null : tagWords(tags) },
    {
      name: 'Context',
      value:
        job.context_type === 'DOWNLOAD_REQUEST' ? `Download request ${job.context_id ?? ''}` : 'Spontaneous upload',
    },
    {
      name: 'Converted',
      value:
        job.output_size === null ? null : [job.conversion_reason, bytes(job.output_size)].filter(Boolean).join(', '),
    },
    { name: 'In the catalog', value: job.output_file_path, mono: true },
    { name: 'Duplicate of', value: job.duplicate_of, mono: true },
    { name: 'Arrived', value: moment(job.created_at) },
    { name: 'Finished', value: job.completed_at === null ? null : moment(job.completed_at) },
    { name: 'SHA-256', value: job.sha256, mono: true },
  ];
}

/** `FLAC, 900 kbit/s, 44.1 kHz, stereo`, `MP3, lossy, 128 kbit/s, ...`, or null before the file was looked at. */
export function codec(job: Job): string | null {
  if (job.codec === null) return null;
  const parts = [
    job.codec,
    job.lossless === false ? 'lossy' : null,
    job.bitrate === null ? null : `${Math.round(job.bitrate / 1000)} kbit/s`,
    job.sample_rate === null ? null : `${job.sample_rate / 1000} kHz`,
    job.channels === null
      ? null
      : job.channels === 1
        ? 'mono'
        : job.channels === 2
          ? 'stereo'
          : `${job.channels} channels`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

function tagWords(tags: NonNullable<Job['evidence']>['tags']): string {
  const place = tags.track === undefined ? undefined : `track ${tags.track}`;
  const words = [tags.artist, tags.album, place, tags.title, tags.year?.toString()].filter(
    (word) => word !== undefined && word !== '',
  );
  return words.length === 0 ? 'none' : words.join(' · ');
}
