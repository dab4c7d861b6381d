import type { MusicJob } from '#lanes/music/core/types.ts';
import { formatDuration } from '#core/text/duration.ts';
import type { Fact } from '#ui/lane-ui.ts';
import { bytes } from '#ui/parts/words.ts';
import { fileFacts } from '#ui/trace/facts.ts';

/** What is known about a file of audio, for its page. */
export function jobFacts(job: MusicJob): Fact[] {
  const tags = job.evidence?.tags;
  const converted = job.output_size === null ? null : [job.conversion_reason, bytes(job.output_size)];
  return fileFacts(job, {
    ofFile: [
      { name: 'Length', value: job.duration_ms === null ? null : formatDuration(job.duration_ms) },
      { name: 'Codec', value: codec(job) },
      { name: 'Tags', value: tags === undefined ? null : tagWords(tags) },
    ],
    ofResult: [
      { name: 'Converted', value: converted?.filter(Boolean).join(', ') ?? null },
      { name: 'In the catalog', value: job.output_file_path, mono: true },
    ],
  });
}

/** `FLAC, 900 kbit/s, 44.1 kHz, stereo`, `MP3, lossy, 128 kbit/s, ...`, or null before the file was probed. */
export function codec(job: MusicJob): string | null {
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

function tagWords(tags: NonNullable<MusicJob['evidence']>['tags']): string {
  const place = tags.track === undefined ? undefined : `track ${tags.track}`;
  const words = [tags.artist, tags.album, place, tags.title, tags.year?.toString()].filter(
    (word) => word !== undefined && word !== '',
  );
  return words.length === 0 ? 'none' : words.join(' · ');
}
