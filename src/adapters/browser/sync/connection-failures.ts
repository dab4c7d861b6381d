import type { Failure } from '#core/errors.ts';

/** Failures that say something about the connection, whoever meets them. */
const CONNECTION_CODES: readonly string[] = ['offline', 'unauthorized', 'forbidden', 'rate_limited'];

export function isOfConnection({ code }: Failure): boolean {
  return CONNECTION_CODES.includes(code);
}

/** A catalog server has a change feed; an address that refuses one leads somewhere else. */
export function asProbe(reason: Failure): Failure {
  return [...CONNECTION_CODES, 'server_error', 'cancelled'].includes(reason.code)
    ? reason
    : { ...reason, code: 'server_error' };
}
