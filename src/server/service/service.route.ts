import * as v from 'valibot';
import { ServerDefaultsSchema } from '#core/agent/llm/wire.ts';
import { json, route, type Route } from '../api/route.ts';
import { SCOPES } from '../auth/principal.ts';
import type { CatalogDeps } from '../deps.ts';
import type { Reader } from '../store/schema.ts';
import { HttpError } from '../http/http-error.ts';
import { readLend } from '../llm/lend.ts';
import { within } from '../http/stream.ts';
import { createHealth, GOOD_MS, PATIENCE_MS, prompt } from '../watch/health.ts';
import { damageCount, knownLoss } from '../storage/damage.ts';
import type { Metrics } from '../watch/metrics.ts';

type ServiceDeps = Pick<
  CatalogDeps,
  'store' | 'defaults' | 'version' | 'clock' | 'log' | 'checkDisk' | 'checkOriginals' | 'checkBlobs'
>;

const HealthSchema = v.object({
  status: v.picklist(['ok', 'broken']),
  version: v.string(),
  time: v.number(),
  /** What does not work: `database`, `disk`, `uploads` (`temp_dir`), `bucket`. */
  broken: v.optional(v.array(v.string())),
  /** How many files are known to be damaged; absent where none is. `GET /v1/storage` names them. */
  damaged_files: v.optional(v.number()),
  /**
   * When a start found that the database is older than what was last answered from it, milliseconds; absent where none
   * did, or `accession verify --repair` was run since. `GET /v1/storage` says what is missing.
   */
  lost_changes_at: v.optional(v.number()),
});
const MeSchema = v.object({
  user_id: v.string(),
  /** null where the token's owner is not in the list of people. */
  name: v.nullable(v.string()),
  scopes: v.array(v.picklist(SCOPES)),
  /** The token is that of a sign-in link (`POST /v1/session`). */
  link: v.boolean(),
  /** When the token ends, milliseconds; null: not by itself. */
  expires_at: v.nullable(v.number()),
});

/** GET /health and /metrics, what workstations take over as their defaults, who asks, and the address of the socket. */
export function serviceRoutes(deps: ServiceDeps, metrics: Metrics): Route[] {
  const { version, clock, defaults } = deps;
  const health = createHealth(deps);
  const trouble = prompt(GOOD_MS, clock, async () => {
    const known = knownTrouble(deps.store.db).catch(() => ({}));
    return (await within(known, PATIENCE_MS)) ?? {};
  });
  return [
    route('GET /health', {
      scope: null,
      tag: 'Service',
      summary: 'Whether the server works.',
      description:
        'Asks the database and writes to the disk (the data directory and `temp_dir`), at most once a second; asks the bucket, where audio is in one, at most every ten seconds.',
      replies: { 200: json(HealthSchema, 'It does.'), 503: json(HealthSchema, 'It does not; `broken` says what.') },
      async answer(c) {
        const [broken, known] = await Promise.all([health(), trouble()]);
        const answer = { version, time: clock.now(), ...known };
        if (broken.length === 0) return c.json({ status: 'ok', ...answer });
        return c.json({ status: 'broken', ...answer, broken }, 503);
      },
    }),
    route('GET /metrics', {
      scope: 'Admin',
      tag: 'Service',
      summary: 'Numbers for Prometheus: requests, sockets, jobs, waiting work, tracks, the process.',
      replies: { 200: { description: "Prometheus' text format.", type: 'text/plain' } },
      async answer(c) {
        const { text, type } = await metrics.read();
        return c.text(text, 200, { 'Content-Type': type, 'Cache-Control': 'no-store' });
      },
    }),
    route('GET /v1/me', {
      scope: 'ReadCatalog',
      tag: 'Service',
      summary: 'Whose token this is, and what it may do.',
      replies: { 200: json(MeSchema, 'The user.') },
      async answer(c) {
        const { user_id, scopes, link = false, expires_at = null } = c.get('principal');
        const user = deps.store.db.selectFrom('users').select('name').where('id', '=', user_id);
        return c.json({ user_id, name: (await user.executeTakeFirst())?.name ?? null, scopes, link, expires_at });
      },
    }),
    route('GET /v1/config', {
      scope: 'ReadCatalog',
      tag: 'Service',
      summary: 'What of accession.toml is of use to a workstation, and no secret.',
      replies: { 200: json(ServerDefaultsSchema, 'The defaults.') },
      async answer(c) {
        c.header('Cache-Control', 'no-store');
        return c.json({ ...defaults, lend: await readLend(deps.store.db, defaults.lend) });
      },
    }),
    // The socket itself is answered before the app is asked (websocket.ts).
    route('GET /v1/ws', {
      scope: 'ReadCatalog',
      tag: 'Service',
      summary: 'A WebSocket of hints: IngestionUpdate and CatalogChanged.',
      description: 'A browser opens it by a signed URL (`POST /v1/sign`), from an allowed origin.',
      query: {
        since: {
          description: '`cursor` of the last message that was heard: what came after it is told first.',
          schema: v.string(),
        },
        all: {
          description: "`true`: also of everybody else's jobs; for the scope Admin, otherwise without effect.",
          schema: v.boolean(),
        },
      },
      replies: { 101: { description: 'The socket is open.' } },
      failures: [426],
      answer() {
        throw new HttpError('invalid', 'This address is for a WebSocket.', {
          status: 426,
          headers: { Upgrade: 'websocket' },
        });
      },
    }),
  ];
}

/** What is wrong with what is kept, though the server works. */
async function knownTrouble(db: Reader): Promise<{ damaged_files?: number; lost_changes_at?: number }> {
  const [damaged, lost] = await Promise.all([damageCount(db), knownLoss(db)]);
  return { ...(damaged > 0 ? { damaged_files: damaged } : {}), ...(lost === null ? {} : { lost_changes_at: lost.at }) };
}
