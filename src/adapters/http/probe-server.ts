/** What answers at an address: the connection test of the settings. */
import * as v from 'valibot';
import { createServerClient } from './server-client.ts';

export interface ServerProbe {
  /**
   * `accepted`: a catalog server that takes the token. `refused`, `forbidden`: it does not. `signed_out`: there
   * is no token. `blocked`: something answers, but does not let this page read it (CORS). `unreachable`: nothing
   * answers. `other`: what answers is no catalog server, or one in trouble.
   */
  kind: 'accepted' | 'refused' | 'forbidden' | 'signed_out' | 'blocked' | 'unreachable' | 'other';
  /** The server's version, where it said one. */
  version: string | null;
  /** The failure's own words, for `other` and `unreachable`. */
  detail: string | null;
}

const VersionSchema = v.looseObject({ version: v.string() });
const PING_MS = 5_000;

/** Asks the server at `baseUrl` (without a slash at the end) with this token. Never throws. */
export async function probeServer(baseUrl: string, token: string | null): Promise<ServerProbe> {
  const client = createServerClient({ baseUrl, token: () => Promise.resolve(token) });
  const health = await client.health();
  if (!health.ok) {
    const { code, message } = health.failure;
    if (code !== 'offline') return { kind: 'other', version: null, detail: message };
    return { kind: (await answersAnyone(baseUrl)) ? 'blocked' : 'unreachable', version: null, detail: message };
  }
  const known = v.safeParse(VersionSchema, health.value);
  const version = known.success ? known.output.version : null;
  if (token === null) return { kind: 'signed_out', version, detail: null };
  const asked = await client.config();
  if (asked.ok) return { kind: 'accepted', version, detail: null };
  if (asked.failure.code === 'unauthorized') return { kind: 'refused', version, detail: null };
  if (asked.failure.code === 'forbidden') return { kind: 'forbidden', version, detail: null };
  return { kind: 'other', version, detail: asked.failure.message };
}

/** An answer that the page may not read is an answer: the server is there, and CORS keeps it apart. */
async function answersAnyone(baseUrl: string): Promise<boolean> {
  try {
    await fetch(`${baseUrl}/health`, { mode: 'no-cors', cache: 'no-store', signal: AbortSignal.timeout(PING_MS) });
    return true;
  } catch {
    return false;
  }
}
