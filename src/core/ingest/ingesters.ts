/** The ingesters of every lane in one registry, with those of the engine around them. */
import type { LaneCore } from '../lane-core.ts';
import type { ChunkAgent } from './agent.ts';
import { createRegistry, type IngesterRegistry } from './registry.ts';
import { wholeFile } from './read-chunks.ts';
import { failure } from '../errors.ts';
import { takeByContent, mislabelled } from './take-by-content.ts';
import { familyOf, isOpenable, kindLabel } from './file-kinds.ts';
import type { IngestInput, Ingester, Capability, IngestOutcome } from './ingester.ts';
import { baseName, extensionOf } from './paths.ts';
import type { Companion } from '../job/job.ts';

/** Ingesters of archives. A document that is a ZIP inside, or sound named so, is not opened. */

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

const archiveIngesters: readonly Ingester[] = [
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
  archiveIngester({
    id: 'packed',
    name: '7z and RAR ingester',
    description: 'Opens 7z and RAR archives; their entries are taken in one by one.',
    capabilities: ['ingest:7z', 'ingest:rar'],
  }),
  /** Known and not opened: said clearly instead of "unknown file". */
  archiveIngester({
    id: 'unsupported-archive',
    name: 'Unsupported archive ingester',
    description: 'Says of bzip2 and XZ that they are to be unpacked first.',
    capabilities: ['ingest:bz2', 'ingest:xz'],
  }),
];

/** `"x.xz" is an XZ archive, which cannot be opened here yet.` */
function unsupportedArchive({ path, kind }: IngestInput): IngestOutcome {
  const name = baseName(path);
  const message = `"${name}" is ${kindLabel(kind)}, which cannot be opened here yet; ZIP, TAR, GZ, 7z and RAR archives can.`;
  return { as: 'failed', failure: failure('archive_unsupported', message, { subject: name }) };
}

export interface CompanionFacts {
  /** `cue`: becomes `cue-ingester`. */
  id: string;
  name: string;
  description: string;
  capabilities: readonly Capability[];
  kind: Companion['kind'];
  outcome: string;
  keep: 'nothing' | 'text';
}

/** An ingester of files that come along with others: one quiet line, unless something that is read hides behind the name. */
export function companionIngester(facts: CompanionFacts): Ingester {
  const { id, name, description, capabilities, kind, outcome, keep } = facts;
  return {
    ...{ agentId: `${id}-ingester`, name, description, capabilities },
    priority: 10,
    tags: ['ingester', 'companion'],
    ingest: (input) => takeByContent(input, `.${extensionOf(input.path)}`) ?? { as: 'companion', kind, outcome, keep },
  };
}

/** Documents that are ZIPs inside: their ending says more than their bytes. */
const DOCUMENTS: readonly (readonly [label: string, endings: readonly string[]])[] = [
  ['a spreadsheet', ['xlsx', 'xlsm', 'xls', 'ods', 'numbers', 'csv', 'tsv']],
  ['a text document', ['docx', 'doc', 'odt', 'pages', 'rtf']],
  ['a presentation', ['pptx', 'ppt', 'odp', 'key']],
  ['an e-book', ['epub', 'mobi', 'azw3']],
];

/**
 * Last resort: what some lane reads is taken by its content alone; of all else it says what it could not read. Asked for
 * chunks it gives the whole file as one.
 */
export const fallbackIngester: Ingester & ChunkAgent = {
  agentId: 'fallback-ingester',
  name: 'Fallback ingester',
  description: 'Says which files could not be read, and what they are.',
  priority: 99,
  capabilities: [],
  tags: ['ingester', 'fallback'],
  version: '1',
  execute: wholeFile,
  ingest(input) {
    const name = baseName(input.path);
    const ending = extensionOf(input.path);
    const taken = takeByContent(input, ending === '' ? null : `.${ending}`);
    if (taken) return taken;
    if (isOpenable(input.kind) && (ending === '' || input.kind !== 'zip')) return { as: 'archive', kind: input.kind };
    if (familyOf(input.kind) === 'archive' && input.kind !== 'zip') return unsupportedArchive(input);
    return {
      as: 'failed',
      failure: failure('file_unsupported', `"${name}" cannot be taken in: ${whatItIs(input)}.`, { subject: name }),
    };
  },
};

function whatItIs(input: IngestInput): string {
  const ending = extensionOf(input.path);
  const family = familyOf(input.kind);
  const document = DOCUMENTS.find(([, endings]) => endings.includes(ending))?.[0];
  if (document !== undefined && (input.kind === 'zip' || family === 'document' || family === 'text'))
    return `it is ${document}`;
  if (input.kind === 'unknown')
    return ending === '' ? 'its content is of no known kind' : `.${ending} files are not known here`;
  return `it is ${kindLabel(input.kind)}`;
}

const systemIngester = companionIngester({
  id: 'os-metadata',
  name: 'System file ingester',
  description: 'Leaves out what Windows and macOS put into folders and archives.',
  capabilities: ['ingest:os-metadata'],
  kind: 'system',
  outcome: 'ignored',
  keep: 'nothing',
});

/** Throws when two ingesters share an id: a mistake of the program. */
export function ingesterRegistry(lanes: readonly Pick<LaneCore, 'ingesters'>[]): IngesterRegistry {
  const own = lanes.flatMap(({ ingesters }) => ingesters);
  return createRegistry([...archiveIngesters, ...own, systemIngester, fallbackIngester]);
}
