import { ServerDefaultsSchema } from '#core/agent/llm/wire.ts';
import { json } from '../api/fields.ts';
import { route, type Route } from '../api/route.ts';
import type { CatalogDeps } from '../deps.ts';

/** GET /v1/config: what workstations take over as their defaults. */
export function configRoutes({ defaults }: Pick<CatalogDeps, 'defaults'>): Route[] {
  return [
    route(
      {
        method: 'GET',
        path: '/v1/config',
        scope: 'ReadCatalog',
        tag: 'Service',
        summary: 'What of accession.toml is of use to a workstation, and no secret.',
        replies: { 200: json(ServerDefaultsSchema, 'The defaults.') },
        idempotent: true,
      },
      (c) => {
        c.header('Cache-Control', 'no-store');
        return c.json(defaults);
      },
    ),
  ];
}
