/** What was observed about one file, each fact with its source implied by the field it stands in. */
import type { JobEvidence } from '#core/job/job.ts';
import type { FileTags } from '#core/media.ts';

export interface FileEvidence extends JobEvidence {
  codec?: string;
  /** Bits per second. */
  bitrate?: number | null;
  size_bytes?: number;
  tags: FileTags;
}
