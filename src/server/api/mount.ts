/** The routes of the table on the app, each behind its permission, its size limit and the switch of ingestion. */
import type { Hono, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Clock } from '#core/ports.ts';
import { needScope } from '../auth/require-permission.ts';
import type { Env } from '../deps.ts';
import { HttpError } from '../http/http-error.ts';
import { ingestionOff } from '../http/middleware.ts';
import { refuseOver, type Limit } from '../rates/limits.ts';
import { USUAL_BODY, type Route, type RouteSpec } from './route.ts';

export interface Guarding {
  /** False: accession.toml has switched it off. */
  ingestion: boolean;
  writes: Limit;
  clock: Clock;
}

export function mountRoutes(app: Hono<Env>, routes: readonly Route[], using: Guarding): void {
  for (const { spec, mount } of routes) mount(app, guardsOf(spec, using));
}

function guardsOf(spec: RouteSpec, { ingestion, writes, clock }: Guarding): MiddlewareHandler<Env>[] {
  const guards: MiddlewareHandler<Env>[] = [
    async (c, next) => {
      c.set('route', spec.path);
      await next();
    },
  ];
  if (spec.scope !== null) guards.push(needScope(spec.scope));
  // Who is not known yet is counted by address, where it matters.
  if (spec.scope !== null && spec.method !== 'GET' && spec.method !== 'HEAD')
    guards.push(async (c, next) => {
      await refuseOver(writes, c.var.principal.user_id, clock.now());
      await next();
    });
  if (spec.takesFiles === true && !ingestion) guards.push(ingestionOff);
  if (spec.body !== undefined && spec.maxBody !== null) guards.push(sizeLimit(spec.maxBody ?? USUAL_BODY));
  return guards;
}

function sizeLimit(maxSize: number): MiddlewareHandler<Env> {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new HttpError('too_large', `This request may have ${maxSize} bytes.`);
    },
  });
}

/** The addresses that anyone may call: `GET /v1/docs`. */
export function openAddresses(routes: readonly Route[]): ReadonlySet<string> {
  return new Set(routes.filter(({ spec }) => spec.scope === null).map(({ spec }) => `${spec.method} ${spec.path}`));
}
