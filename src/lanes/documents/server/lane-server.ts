/** Documents on the catalog server: approved records with their PDFs, and sources of metadata for pages that cannot ask them. */
import { DOCUMENT_KIND, DocumentChangesPageSchema } from '#lanes/documents/core/share/shared-document.ts';
import { MORE_SOURCES, type MoreSource } from '#lanes/documents/core/lookup/hosts.ts';
import { createLookup } from '#lanes/documents/core/lookup/lookup.ts';
import { lookupInNode } from '#lanes/documents/node/lookup-ports.ts';
import type { DocumentsConfig } from '#server/config-file.ts';
import type { LaneServer, LaneUsing } from '#server/lane-server.ts';
import { documentContents } from './contents.ts';
import { documentPlans } from '../node/document-plans.ts';
import { isDocumentPlan } from '../core/plan/document-plan.ts';
import { carryOutProcess } from './folders/carry-out-process.ts';
import { followPlan } from './folders/follow-plan.ts';
import { folderRoutes } from './folders/folders.route.ts';
import { folderScans, type FolderScans, type ScanProgram } from './folders/scan-folders.ts';
import { scanProcess } from './folders/scan-process.ts';
import { documentsKeeping, keptContents } from './keeping.ts';
import { lookupRoutes } from './lookup.route.ts';
import { sharedById } from './record-rows.ts';
import { sharedRoutes } from './shared.route.ts';
import { DERIVED_TABLES, migrations, TABLES } from './tables.ts';

const AUDIT = ['document.content_lost'] as const;
declare module '#server/audit/audit.ts' {
  interface AuditActions {
    documents: (typeof AUDIT)[number];
  }
}

const USUAL: DocumentsConfig = { contact: null, sources: null, folders: [] };

/**
 * @param using what it needs while the server runs; null: its routes alone
 * @param scans of its folders; null with it
 */
function documentsServer(using: LaneUsing | null, scans: FolderScans | null = null): LaneServer {
  const stop = new AbortController();
  const config = using?.documents ?? USUAL;
  const more = (Object.keys(MORE_SOURCES) as MoreSource[]).filter((id) => config.sources?.includes(id) === true);
  const lookup =
    using === null
      ? null
      : createLookup({ ...lookupInNode(using.directory, stop.signal), contact: config.contact, more });
  const contents = using === null ? null : documentContents(using);
  return {
    id: 'documents',
    tables: TABLES,
    derived: DERIVED_TABLES,
    migrations,
    audit: AUDIT,
    feeds: [
      {
        path: '/v1/catalog/changes/documents',
        summary: 'The change feed of approved records of papers and books. Its cursors are its own.',
        kinds: [DOCUMENT_KIND],
        limit: { usual: 500, most: 2000 },
        page: DocumentChangesPageSchema,
        read: (db, _kind, ids) => sharedById(db, ids),
      },
    ],
    imports: [],
    files: keptContents,
    keeping: documentsKeeping,
    routes: (deps) => [
      ...lookupRoutes(config, lookup),
      ...sharedRoutes(deps, documentContents(deps)),
      ...folderRoutes(deps, scans),
    ],
    plans: {
      kinds: [documentPlans(using === null ? null : carryOutProcess(using.directory))],
      tools: () => [],
      async carriedOut(world, { plan, state }, way) {
        if (isDocumentPlan(plan) && (await followPlan(world, { plan, state }, way, contents))) scans?.wake();
      },
    },
    begin: () => scans?.begin(),
    recover: (deps) => documentContents(deps).sweep(),
    open: (opened) => openDocuments(opened),
    async close() {
      stop.abort();
      await scans?.close();
    },
  };
}

/** @param program another one than `accession documents scan`, in tests */
export async function openDocuments(using: LaneUsing, program?: ScanProgram): Promise<LaneServer> {
  const { documents, directory } = using;
  const scans = folderScans(using, program ?? scanProcess(documents, directory));
  await scans.name(documents.folders);
  return documentsServer(using, scans);
}

export const server = documentsServer(null);
