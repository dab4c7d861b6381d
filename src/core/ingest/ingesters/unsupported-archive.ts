import { failure } from '../../errors.ts';
import { mislabelled, takeAsItIs } from '../audio-ingester.ts';
import { familyOf, isOpenable, kindLabel } from '../file-kinds.ts';
import type { IngestInput, IngestOutcome, Ingester } from '../ingester.ts';
import { baseName, extensionOf } from '../paths.ts';

/** `"x.rar" is a RAR archive, which cannot be opened here yet.` */
export function unsupportedArchive(input: IngestInput): IngestOutcome {
  const name = baseName(input.path);
  const message = `"${name}" is ${kindLabel(input.kind)}, which cannot be opened here yet; ZIP, TAR and GZ archives can.`;
  return { as: 'failed', failure: failure('archive_unsupported', message, { subject: name }) };
}

/** Archives that are known and not opened: said clearly instead of "unknown file". */
export const unsupportedArchiveIngester: Ingester = {
  agentId: 'unsupported-archive-ingester',
  name: 'Unsupported archive ingester',
  description: 'Says of RAR, 7z, bzip2 and XZ that they are to be unpacked first.',
  priority: 10,
  capabilities: ['ingest:rar', 'ingest:7z', 'ingest:bz2', 'ingest:xz'],
  tags: ['ingester', 'archive'],
  ingest(input) {
    if (isOpenable(input.kind)) return { as: 'archive', kind: input.kind };
    if (familyOf(input.kind) === 'audio') return takeAsItIs(input, extensionOf(input.path).toUpperCase());
    if (familyOf(input.kind) === 'archive') return unsupportedArchive(input);
    return mislabelled(input, `a .${extensionOf(input.path)} archive`);
  },
};
