/** The catalog server as the page talks to it: for the editor, requests and listening. Publishing is the worker's. */
import { createTokenStore } from '#adapters/browser/token.ts';
import type { PeopleClient } from '#adapters/http/people-client.ts';
import { probeServer, type ServerProbe } from '#adapters/http/probe-server.ts';
import { resolveBase } from '#adapters/http/request.ts';
import { createServerClient, type ServerClient } from '#adapters/http/server-client.ts';
import type { Failure } from '#core/errors.ts';
import { db, settingsRow } from './db.ts';

/** The server's address without a slash at the end: the one that was set, else the page's own origin. */
export async function serverBase(): Promise<string> {
  return resolveBase((await settingsRow()).server_url);
}

async function tokens() {
  return createTokenStore(db, new URL(await serverBase()).origin);
}

/** Null where nobody has signed in to this server. */
export async function readToken(): Promise<string | null> {
  return (await tokens()).get();
}

/** Keeps the token for this browser and this server; the workers read it from there. */
export async function storeToken(token: string): Promise<void> {
  await (await tokens()).set(token);
}

/** Signs this browser out of the server that is set now. */
export async function forgetToken(): Promise<void> {
  await (await tokens()).clear();
}

/** What answers at an address (`''`: the page's own origin); without a token the stored one of that server is used. */
export async function testServer(address: string, token: string | null): Promise<ServerProbe> {
  const base = resolveBase(address);
  return probeServer(base, token ?? (await createTokenStore(db, new URL(base).origin).get()));
}

/** A client of the server that is set now; ask for it anew at each use, because the setting may change. */
export async function server(): Promise<ServerClient> {
  return createServerClient({ baseUrl: await serverBase(), token: readToken });
}

/** Prepares a request that gives a lease back and outlives the page: it is sent at once when the answer is called. */
export async function leaseReturn(leaseId: string): Promise<() => void> {
  const [{ createWorkClient }, baseUrl, token] = await Promise.all([
    import('#adapters/http/work-client.ts'),
    serverBase(),
    readToken(),
  ]);
  const client = createWorkClient({
    baseUrl,
    token: () => Promise.resolve(token),
    fetch: (input, init) => fetch(input, { ...init, keepalive: true }),
  });
  return () => void client.giveBack(leaseId);
}

/** What an admin does on the server that is set now; its code is loaded when it is first wanted. */
export async function people(): Promise<PeopleClient> {
  const { createPeopleClient } = await import('#adapters/http/people-client.ts');
  return createPeopleClient({ baseUrl: await serverBase(), token: readToken });
}

/** A failure of what only the server can do: nothing is sent later by itself, so `remedy` says when to try again. */
export function needsServer(failure: Failure, remedy: string): Failure {
  return failure.code === 'offline' || failure.code === 'server_error' ? { ...failure, remedy } : failure;
}
