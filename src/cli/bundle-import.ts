/** `accession bundle import FILE`: a result that a workstation exported is published by the server. */
import { openAsBlob } from 'node:fs';
import { AccessionError, failed, messageOf } from '#core/errors.ts';
import type { Result } from '#core/result.ts';
import { BUNDLE_HEAD_BYTES, isBundleHead } from '#core/sync/bundle-head.ts';
import type { CommitResponse } from '#core/sync/protocol.ts';

/** Throws AccessionError with the reason; the file can be sent again whatever it is. */
export async function bundleImport(
  send: (file: Blob) => Promise<Result<CommitResponse>>,
  path: string,
  say: (line: string) => void,
): Promise<void> {
  const file = await opened(path);
  if (!isBundleHead(new Uint8Array(await file.slice(0, BUNDLE_HEAD_BYTES).arrayBuffer())))
    throw failed('invalid', `"${path}" is no exported result.`, {
      remedy: 'Take the file that "Export" beside a waiting result made (Settings, Publishing).',
    });
  const answer = await send(file);
  if (!answer.ok) throw new AccessionError(answer.failure);
  const { track_id, output_file_path, outcome } = answer.value;
  say(`${outcome === 'unchanged' ? 'was published before' : outcome}: ${track_id}, ${output_file_path}`);
}

async function opened(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path);
  } catch (error) {
    throw failed('file_unreadable', `"${path}" cannot be read: ${messageOf(error)}.`);
  }
}
