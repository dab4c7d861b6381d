import type { FileEvidence, FileTags } from '../music/evidence.ts';
import type { Job } from './job.ts';
import { evidenceOfSegment } from './segment.ts';
import type { ProbedFacts } from './transitions.ts';

/** What a probe found, apart from the cover. */
export interface Probed {
  duration_ms: number | null;
  codec: string;
  bitrate: number | null;
  sample_rate: number | null;
  channels: number | null;
  lossless: boolean;
  tags: FileTags;
  notes?: string[];
  cue?: string;
}

/** What a job knows once it was probed. `cover`: where it was kept. */
export function probedFacts(
  job: Job,
  found: Probed,
  cover: { sha256: string; mime: string } | null,
  elapsed_ms: number,
): ProbedFacts {
  const { segment } = job;
  const evidence: FileEvidence = {
    file_id: job.id,
    path: job.path,
    duration_ms: found.duration_ms === null ? null : Math.round(found.duration_ms),
    codec: found.codec,
    bitrate: found.bitrate,
    tags: found.tags,
    size_bytes: job.file_size_bytes,
  };
  return {
    evidence: segment ? evidenceOfSegment(evidence, segment) : evidence,
    codec: found.codec,
    bitrate: found.bitrate === null ? null : Math.round(found.bitrate),
    sample_rate: found.sample_rate,
    channels: found.channels,
    lossless: found.lossless,
    cover_sha256: cover?.sha256 ?? null,
    cover_mime: cover?.mime ?? null,
    elapsed_ms,
    notes: found.notes ?? [],
    cue: segment ? null : (found.cue ?? null),
  };
}
