import { newOutboxItem, prepareOutboxItems } from '#core/sync/outbox.ts';
import type { OutboxItem } from '#core/sync/outbox-item.ts';
import type { CommitResponse } from '#core/sync/protocol.ts';

await prepareOutboxItems();

export const SHA_A = 'a'.repeat(64);
export const SHA_B = 'b'.repeat(64);

/** An item for job `j-<key>` and track `t-<key>`, as enqueued at 1000. */
export function outboxItem(key: string, patch: Partial<OutboxItem> = {}): OutboxItem {
  const item = newOutboxItem({
    key,
    now: 1000,
    epoch: 0,
    body: {
      job_id: `j-${key}`,
      track_id: `t-${key}`,
      sha256: SHA_A,
      size: 100,
      duration_ms: 60_000,
      original_filename: `${key}.flac`,
      original_sha256: SHA_B,
      match_confidence: 0.97,
      match_source: 'AGENT',
      request_id: null,
    },
  });
  return { ...item, ...patch };
}

export function accepted(key: string, patch: Partial<CommitResponse> = {}): CommitResponse {
  return {
    track_id: `t-${key}`,
    output_file_path: `Artist/Album/${key}.ogg`,
    availability: 'available',
    duration_ms: 60_000,
    outcome: 'created',
    request_status: null,
    catalog_duration_ms: 60_000,
    ...patch,
  };
}
