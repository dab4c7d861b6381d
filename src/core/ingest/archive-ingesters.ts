/** Ingesters of archives. A document that is a ZIP inside, or sound named so, is not opened. */
import { failure } from '../errors.ts';
import type { Capability } from './capability.ts';
import { familyOf, isOpenable, kindLabel } from './file-kinds.ts';
import type { IngestInput, IngestOutcome, Ingester } from './ingester.ts';
import { baseName, extensionOf } from './paths.ts';
import { mislabelled, takeByContent } from './take-by-content.ts';

interface ArchiveFacts {
  id: string;
  name: string;
  description: string;
  capabilities: readonly Capability[];
  /** What such a name says: `ZIP`, and `a ZIP archive`; by default by the file's ending. */
  claims?: { short: string; long: string };
}

function archiveIngester({ id, name, description, capabilities, claims }: ArchiveFacts): Ingester {
  return {
    ...{ agentId: `${id}-ingester`, name, description, capabilities },
    priority: 10,
    tags: ['ingester', 'archive'],
    ingest(input) {
      const ending = extensionOf(input.path);
      const { short, long } = claims ?? { short: ending.toUpperCase(), long: `a .${ending} archive` };
      if (isOpenable(input.kind)) return { as: 'archive', kind: input.kind };
      const taken = takeByContent(input, short);
      if (taken) return taken;
      // An office file renamed to .zip opens as one, but is none that was meant.
      return familyOf(input.kind) === 'archive' ? unsupportedArchive(input) : mislabelled(input, long);
    },
  };
}

export const archiveIngesters: readonly Ingester[] = [
  archiveIngester({
    id: 'zip',
    name: 'ZIP ingester',
    description: 'Opens ZIP archives; their entries are taken in one by one.',
    capabilities: ['ingest:zip'],
    claims: { short: 'ZIP', long: 'a ZIP archive' },
  }),
  archiveIngester({
    id: 'tar',
    name: 'TAR and GZ ingester',
    description: 'Opens TAR archives, packed with gzip or not, and single files packed with gzip.',
    capabilities: ['ingest:tar', 'ingest:tgz', 'ingest:gz'],
  }),
  /** Known and not opened: said clearly instead of "unknown file". */
  archiveIngester({
    id: 'unsupported-archive',
    name: 'Unsupported archive ingester',
    description: 'Says of RAR, 7z, bzip2 and XZ that they are to be unpacked first.',
    capabilities: ['ingest:rar', 'ingest:7z', 'ingest:bz2', 'ingest:xz'],
  }),
];

/** `"x.rar" is a RAR archive, which cannot be opened here yet.` */
export function unsupportedArchive({ path, kind }: IngestInput): IngestOutcome {
  const name = baseName(path);
  const message = `"${name}" is ${kindLabel(kind)}, which cannot be opened here yet; ZIP, TAR and GZ archives can.`;
  return { as: 'failed', failure: failure('archive_unsupported', message, { subject: name }) };
}
