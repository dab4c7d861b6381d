import type { FileTags } from '#core/media.ts';

export interface CaseFile {
  file_id: string;
  path: string;
  duration_ms: number | null;
  tags: FileTags;
}
export interface Truth {
  file_id: string;
  track_id: string | null;
  expect: 'commit' | 'review' | 'reject';
  also_ok: string[];
}
export interface LabelledCase {
  case_id: string;
  tier: 'core' | 'hard';
  cls: string;
  context: { type: 'spontaneous' | 'download_request'; request_album_id?: string };
  files: CaseFile[];
  truth: Truth[];
}
