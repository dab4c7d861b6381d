import type { Failure } from '#core/errors.ts';

/** A failure of what only the server can do: without it nothing is sent later, so that has to be said. */
export function needsServer(failure: Failure, remedy: string): Failure {
  return failure.code === 'offline' || failure.code === 'server_error' ? { ...failure, remedy } : failure;
}
