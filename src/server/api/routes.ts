/** The table of every route of the server. What is not in it is not there. */
import { auditRoutes } from '../audit/audit.route.ts';
import { sessionRoutes, signRoutes, tokenRoutes } from '../auth/auth.route.ts';
import { changesRoutes } from '../feed/changes.route.ts';
import { importRoutes } from '../import/import.route.ts';
import { bundleRoutes } from '../ingest/bundles.route.ts';
import { jobRoutes } from '../ingest/jobs.route.ts';
import { reviewRoutes } from '../ingest/reviews.route.ts';
import type { ServerDeps } from '../lane-server.ts';
import { llmRoutes } from '../llm/llm.route.ts';
import { peopleRoutes } from '../people/people.route.ts';
import { planToolRoutes } from '../plans/plan-tools.route.ts';
import { planRoutes } from '../plans/plans.route.ts';
import { type Limits, refuseOver, type Limit } from '../rates/limits.ts';
import { serviceRoutes } from '../service/service.route.ts';
import { storageRoutes } from '../storage/storage.route.ts';
import { uploadFilesRoutes } from '../uploads/upload.route.ts';
import { uploadRoutes } from '../uploads/uploads.route.ts';
import type { Metrics } from '../watch/metrics.ts';
import { claimRoutes } from '../work/claims.route.ts';
import { docsRoutes } from './docs.route.ts';
import { type Route, USUAL_BODY, type RouteSpec } from './route.ts';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { Clock } from '#core/ports.ts';
import { may, SCOPES, type Principal } from '../auth/principal.ts';
import { needScope } from '../auth/require-permission.ts';
import type { Env } from '../deps.ts';
import { HttpError } from '../http/http-error.ts';
import { createPersonQueue, type PersonQueue } from '../http/person-queue.ts';
import { createShares, type Shares } from '../http/shares.ts';
import { ingestionOff } from '../http/middleware.ts';
import { packedAnswers } from '../http/packed-answers.ts';

export function catalogRoutes(deps: ServerDeps, limits: Limits, metrics: Metrics): Route[] {
  const routes: Route[] = [
    ...serviceRoutes(deps, metrics),
    ...storageRoutes(deps),
    ...signRoutes(deps),
    ...deps.lanes.flatMap((lane) => lane.routes(deps)),
    ...changesRoutes(deps),
    ...importRoutes(deps),
    ...uploadRoutes(deps),
    ...bundleRoutes(deps),
    ...uploadFilesRoutes(deps),
    ...jobRoutes(deps),
    ...claimRoutes(deps),
    ...reviewRoutes(deps),
    ...planRoutes(deps),
    ...planToolRoutes(deps),
    ...llmRoutes(deps),
    ...peopleRoutes(deps, limits),
    ...tokenRoutes(deps),
    ...sessionRoutes(deps),
    ...auditRoutes(deps),
  ];
  // The document describes itself, too.
  const docs = docsRoutes(deps.version, () => specs);
  const all = [...routes, ...docs];
  const specs = all.map(({ spec }) => spec);
  return all;
}

/** The routes of the table on the app, each behind its permission, its size limit and the switch of ingestion. */

interface Guarding {
  /** False: accession.toml has switched it off. */
  ingestion: boolean;
  writes: Limit;
  clock: Clock;
}

export function mountRoutes(app: Hono<Env>, routes: readonly Route[], using: Guarding): void {
  const fair = { shares: createShares(LARGE_AT_A_TIME), queue: createPersonQueue() };
  for (const { spec, mount } of routes) mount(app, guardsOf(spec, using, fair));
}

/** Large requests of a person one by one, usual ones some at a time. */
interface Fair {
  shares: Shares;
  /** Null: nobody waits for their turn. */
  queue: PersonQueue | null;
}

const packed = packedAnswers();

function guardsOf(spec: RouteSpec, { ingestion, writes, clock }: Guarding, fair: Fair): MiddlewareHandler<Env>[] {
  const guards: MiddlewareHandler<Env>[] = [
    async (c, next) => {
      c.set('route', spec.path);
      await next();
    },
  ];
  if (spec.method === 'GET') guards.push(packed);
  if (spec.scope !== null) guards.push(needScope(spec.scope));
  // Who is not known yet is counted by address, where it matters.
  if (spec.scope !== null && spec.method !== 'GET' && spec.method !== 'HEAD')
    guards.push(async (c, next) => {
      await refuseOver(writes, c.var.principal.user_id, clock.now());
      await next();
    });
  if (spec.takesFiles === true && !ingestion) guards.push(ingestionOff);
  const queue = spec.waitsElsewhere === true ? null : fair.queue;
  if (spec.body === undefined) guards.push((c, next) => inQueue(c, next, queue));
  // What is written to the disk as it comes, for minutes, has bounds of its own.
  else if (spec.maxBody !== null) guards.push(sizeLimit(spec.maxBody ?? USUAL_BODY, { ...fair, queue }));
  return guards;
}

/** Bytes from which a request is a large one: of these one person has one at a time. */
const LARGE = 1024 * 1024;
/** Bytes of large requests that are worked on at a time. */
const LARGE_AT_A_TIME = 48 * 1024 * 1024;

/** Refuses by what the request says of itself, before anything of it is read; one that does not say counts as it may have. */
function sizeLimit(most: NonNullable<RouteSpec['maxBody']>, { shares, queue }: Fair): MiddlewareHandler<Env> {
  return async (c, next) => {
    const limit = mostFor(c, most);
    const said = c.req.header('content-length');
    if (Number(said ?? 0) > limit) throw new HttpError('too_large', `This request may have ${limit} bytes.`);
    c.set('most_body', limit);
    const bytes = said === undefined && c.req.raw.body === null ? 0 : Number(said ?? limit);
    // Only who is known has a share; an open route takes nothing large.
    const person: Principal | undefined = c.get('principal');
    if (bytes <= LARGE || person === undefined) await inQueue(c, next, queue);
    else await shares.run(person.user_id, bytes, () => next());
  };
}

/** Who is not known yet asks for little: the open routes. */
async function inQueue(c: Context<Env>, next: () => Promise<void>, queue: PersonQueue | null): Promise<void> {
  const person: Principal | undefined = c.get('principal');
  if (person === undefined || queue === null) await next();
  else await queue.run(person.user_id, next);
}

function mostFor(c: Context<Env>, most: NonNullable<RouteSpec['maxBody']>): number {
  if (typeof most === 'number') return most;
  const allowed = SCOPES.filter((scope) => may(c.get('principal'), scope));
  return Math.max(USUAL_BODY, ...allowed.map((scope) => most[scope] ?? 0));
}

/** The addresses that anyone may call: `GET /v1/docs`. */
export function openAddresses(routes: readonly Route[]): ReadonlySet<string> {
  return new Set(routes.filter(({ spec }) => spec.scope === null).map(({ spec }) => `${spec.method} ${spec.path}`));
}
