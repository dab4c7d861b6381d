/** The toolbox on the catalog server: sources that it asks for tools in browsers. What computes does so there, or in a terminal. */
import type { LaneServer } from '#server/lane-server.ts';
import { declaredSources, openNet } from '#lanes/toolbox/node/sources.ts';
import { connectorRoutes, type ConnectorsOptions } from './connectors.route.ts';

function toolboxServer(options: ConnectorsOptions): LaneServer {
  return {
    id: 'toolbox',
    tables: {},
    audit: [],
    feeds: [],
    imports: [],
    routes: (deps) => connectorRoutes(deps, options),
    async open({ clock, tools, toolbox }) {
      const declared = await declaredSources(toolbox.connectors);
      return toolboxServer({
        sources: toolbox.sources,
        allow: tools.allow,
        declared,
        net: openNet(clock, tools.allow),
      });
    },
  };
}

export const server = toolboxServer({ sources: null, allow: null, declared: [], net: null });
