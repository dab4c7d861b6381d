/** What is decided of a file before anything of it is stored. */
import { joinBytes } from '../../ingest/bytes.ts';
import { isSystemFile, type IngestOutcome } from '../../ingest/ingester.ts';
import { describeBytes, describeFile, kindLabel, type FileKind } from '../../ingest/file-kinds.ts';
import { ingestFile } from '../../ingest/registry.ts';
import type { Companion, StepDraft } from '../../job/job.ts';
import type { BlobRef } from '../../ports.ts';
import type { Incoming, StagePorts } from './ports.ts';

/** Text of a companion that is kept in its row, at most. */
const MAX_TEXT_BYTES = 256 * 1024;

/** Reads a file's first bytes and asks its ingester. Throws AccessionError `file_unreadable` or `archive_*`. */
export async function look(
  { registry }: Pick<StagePorts, 'registry'>,
  incoming: Incoming,
): Promise<{ outcome: IngestOutcome; steps: StepDraft[] }> {
  const { path, size } = incoming;
  // What a system left behind is not worth reading.
  const kind: FileKind = size === 0 || isSystemFile(path) ? 'unknown' : await incoming.kind();
  const { agentId, outcome } = ingestFile(registry, { path, size, kind });
  return { outcome, steps: [contextStep(incoming, kind, agentId), ...noteSteps(outcome, incoming)] };
}

/** The row of a file that came along; `store` keeps its bytes where they are wanted. */
export async function companionOf(
  { decodeText }: Pick<StagePorts, 'decodeText'>,
  incoming: Incoming,
  { kind, outcome, keep }: IngestOutcome & { as: 'companion' },
  store: () => Promise<BlobRef>,
): Promise<Companion> {
  const { path, size } = incoming;
  const row = { path, kind, outcome, sha256: null, text: null };
  if (keep === 'blob') return { ...row, sha256: (await store()).sha256 };
  if (keep === 'nothing' || size === 0) return row;
  if (size > MAX_TEXT_BYTES) return { ...row, outcome: 'ignored' };
  const parts: Uint8Array[] = [];
  for await (const chunk of incoming.chunks()) parts.push(chunk.slice());
  return { ...row, text: decodeText(joinBytes(parts)) };
}

/** The first step of a job: what came, and from where. */
export function contextStep(
  file: Pick<Incoming, 'path' | 'name' | 'size' | 'from'>,
  kind: FileKind | null,
  agentId: string | null,
): StepDraft {
  const read = kind === null || kind === 'unknown' ? '' : `, ${kindLabel(kind)} by its content`;
  return {
    step_type: 'Context',
    content: `${describeFile(file.name, file.from)}: ${describeBytes(file.size)}${read}.`,
    metadata: { path: file.path, size: file.size, from: file.from, kind, ingester: agentId },
  };
}

function noteSteps(outcome: IngestOutcome, incoming: Incoming): StepDraft[] {
  const notes: string[] = [];
  if (incoming.repairs.length > 0) notes.push(`Its name in the archive was repaired: ${incoming.repairs.join(', ')}.`);
  if (outcome.as === 'job' && outcome.note !== null) notes.push(outcome.note);
  return notes.map((content) => ({ step_type: 'Decision', content }));
}
