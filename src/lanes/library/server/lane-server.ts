/** The library on the catalog server: folders of accession.toml, indexed by a process beside it, searched over HTTP. */
import type { ToolsConfig } from '#server/config-file.ts';
import type { LaneServer, LaneUsing } from '#server/lane-server.ts';
import { nameFolders } from './folders.ts';
import { startIndexer, type Indexer } from './indexer-process.ts';
import { libraryRoutes } from './library.route.ts';
import { DERIVED_TABLES, migrations } from './tables.ts';
import { webRoutes } from './web.route.ts';

/** @param using what it needs while the server runs; null: its tables and routes alone */
function libraryServer(using: LaneUsing | null, tools: ToolsConfig): LaneServer {
  let indexer: Indexer | null = null;
  return {
    id: 'library',
    tables: {},
    derived: DERIVED_TABLES,
    migrations,
    audit: [],
    feeds: [],
    imports: [],
    routes: (deps) => [...libraryRoutes(deps), ...webRoutes(tools)],
    async open(opened) {
      const { store, clock, library } = opened;
      const folders = await nameFolders(store, clock, library.folders);
      // Without a folder, and without one that is to be taken away, there is nothing to index.
      return libraryServer(folders === 0 ? null : opened, opened.tools);
    },
    begin() {
      if (using !== null) indexer = startIndexer(using);
    },
    close: async () => indexer?.close(),
  };
}

/** Without a word of [tools] the server asks nobody. */
export const server = libraryServer(null, { allow: [], search: null });
