/** Documents on the catalog server: sources of metadata are asked for pages that cannot ask them. */
import { createLookup } from '#lanes/documents/core/lookup/lookup.ts';
import { lookupInNode } from '#lanes/documents/node/lookup-ports.ts';
import type { DocumentsConfig } from '#server/config-file.ts';
import type { LaneServer, LaneUsing } from '#server/lane-server.ts';
import { lookupRoutes } from './lookup.route.ts';

const USUAL: DocumentsConfig = { contact: null, sources: null };

/** @param using what it needs while the server runs; null: its routes alone */
function documentsServer(using: Pick<LaneUsing, 'directory' | 'documents'> | null): LaneServer {
  const stop = new AbortController();
  const config = using?.documents ?? USUAL;
  const lookup =
    using === null ? null : createLookup({ ...lookupInNode(using.directory, stop.signal), contact: config.contact });
  return {
    id: 'documents',
    tables: {},
    audit: [],
    feeds: [],
    imports: [],
    routes: () => lookupRoutes(config, lookup),
    open: (opened) => Promise.resolve(documentsServer(opened)),
    close: () => Promise.resolve(stop.abort()),
  };
}

export const server = documentsServer(null);
