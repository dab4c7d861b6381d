import type { ProbedFacts } from '#core/job/events.ts';
import type { JobFields, StepDraft } from '#core/job/job.ts';
import type { ProbeOutcome } from '#core/media.ts';
import { formatDuration } from '#core/text/duration.ts';
import type { MusicTypes } from '../types.ts';
import { type FileEvidence, visibleTags, evidenceOfSegment } from './evidence.ts';

/** What a job knows once it was probed, and the lines of its log. `cover`: where it was kept. */
export function probedFacts(
  job: Pick<JobFields<MusicTypes>, 'id' | 'path' | 'original_filename' | 'file_size_bytes' | 'segment'>,
  found: Omit<ProbeOutcome, 'cover' | 'container'>,
  cover: { sha256: string; mime: string } | null,
  elapsed_ms: number,
): ProbedFacts<MusicTypes> {
  const { segment } = job;
  const whole: FileEvidence = {
    file_id: job.id,
    path: job.path,
    duration_ms: found.duration_ms === null ? null : Math.round(found.duration_ms),
    codec: found.codec,
    bitrate: found.bitrate,
    tags: found.tags,
    size_bytes: job.file_size_bytes,
  };
  const read = segment ? evidenceOfSegment(whole, segment) : whole;
  const { tags, changed } = visibleTags(read.tags);
  const evidence = { ...read, tags };
  const bitrate = found.bitrate === null ? null : Math.round(found.bitrate);
  const { codec, sample_rate, channels, lossless } = found;
  return {
    ...{ evidence, codec, bitrate, sample_rate, channels, lossless },
    cover_sha256: cover?.sha256 ?? null,
    cover_mime: cover?.mime ?? null,
    cue: segment ? null : (found.cue ?? null),
    steps: [
      {
        step_type: 'ToolCall',
        content: `get_file_metadata(${JSON.stringify({ file: job.original_filename })})`,
        metadata: { tool: 'get_file_metadata', file: job.path },
      },
      {
        step_type: 'ToolResult',
        content: probeSentence({ evidence, codec, bitrate, sample_rate }),
        metadata: { evidence },
        duration_ms: elapsed_ms,
      },
      ...hiddenSteps(changed),
      ...(found.notes ?? []).map((content): StepDraft => ({ step_type: 'Action', content })),
    ],
  };
}

function hiddenSteps(changed: readonly string[]): StepDraft[] {
  if (changed.length === 0) return [];
  const content = `Characters that nobody sees, or that turn the text around, were taken out of its tags: ${changed.join(', ')}.`;
  return [{ step_type: 'Decision', content, metadata: { hidden_characters: changed } }];
}

function probeSentence(facts: Pick<ProbedFacts<MusicTypes>, 'evidence' | 'codec' | 'bitrate' | 'sample_rate'>): string {
  const { tags } = facts.evidence;
  const named = [tags.artist, tags.album, tags.title].filter((part) => part !== undefined && part !== '');
  const parts = [
    formatDuration(facts.evidence.duration_ms),
    facts.codec,
    facts.bitrate === null ? null : `${Math.round(facts.bitrate / 1000)} kbit/s`,
    facts.sample_rate === null ? null : `${facts.sample_rate} Hz`,
    named.length > 0 ? `tags: ${named.join(' / ')}` : 'no tags',
  ];
  return parts.filter((part) => part !== null).join(', ');
}
