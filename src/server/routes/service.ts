import * as v from 'valibot';
import { json } from '../api/fields.ts';
import { route, type Route } from '../api/route.ts';
import { SCOPES } from '../auth/principal.ts';
import type { CatalogDeps } from '../deps.ts';
import { HttpError } from '../http/http-error.ts';

const HealthSchema = v.object({ status: v.string(), version: v.string(), time: v.number() });
const MeSchema = v.object({ user_id: v.string(), scopes: v.array(v.picklist(SCOPES)) });

/** GET /health, who asks, and the address of the socket. */
export function serviceRoutes({ version, clock }: Pick<CatalogDeps, 'version' | 'clock'>): Route[] {
  return [
    route(
      {
        method: 'GET',
        path: '/health',
        scope: null,
        tag: 'Service',
        summary: 'Whether the server works.',
        replies: { 200: json(HealthSchema, 'It does.') },
        idempotent: true,
      },
      (c) => c.json({ status: 'ok', version, time: clock.now() }),
    ),
    route(
      {
        method: 'GET',
        path: '/v1/me',
        scope: 'ReadCatalog',
        tag: 'Service',
        summary: 'Whose token this is, and what it may do.',
        replies: { 200: json(MeSchema, 'The user.') },
        idempotent: true,
      },
      (c) => {
        const { user_id, scopes } = c.get('principal');
        return c.json({ user_id, scopes });
      },
    ),
    // The socket itself is answered before the app is asked (websocket.ts).
    route(
      {
        method: 'GET',
        path: '/v1/ws',
        scope: 'ReadCatalog',
        tag: 'Service',
        summary: 'A WebSocket of hints: IngestionUpdate and CatalogChanged.',
        description: 'A browser opens it by a signed URL (`POST /v1/sign`), from an allowed origin.',
        replies: { 101: { description: 'The socket is open.' } },
        failures: [426],
        idempotent: true,
      },
      () => {
        throw new HttpError('invalid', 'This address is for a WebSocket.', {
          status: 426,
          headers: { Upgrade: 'websocket' },
        });
      },
    ),
  ];
}
