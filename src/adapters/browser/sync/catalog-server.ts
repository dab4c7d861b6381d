import type { Random } from '#core/sync/connection.ts';
import { createServerClient, type ServerClient } from '../../http/server-client.ts';
import type { HttpOptions } from '../../http/request.ts';
import { createCatalogSocket, type CatalogSocket, type SocketHint, type Timers } from '../../http/socket.ts';
import type { AccessionDb } from '../db.ts';
import { readSettings } from '../settings.ts';
import { createTokenStore } from '../token.ts';

/** The catalog server that is set (else the origin of this page), with the token that was given for it. */
export async function catalogServer(db: AccessionDb): Promise<{ http: HttpOptions; client: ServerClient }> {
  const baseUrl = (await readSettings(db)).server_url || self.location.origin;
  const http = { baseUrl, token: createTokenStore(db, new URL(baseUrl).origin).get };
  return { http, client: createServerClient(http) };
}

/** As far as somebody is signed in there; null: nobody is. */
export async function signedIn(db: AccessionDb): Promise<HttpOptions | null> {
  const { http } = await catalogServer(db);
  return (await http.token()) === null ? null : http;
}

/** Its socket, for sync. `hear`: others that want its hints. */
export function catalogSocket(
  client: Pick<ServerClient, 'signedUrl'>,
  using: { timers: Timers; random: Random },
  hear: (hint: SocketHint) => void,
): (onHint: (hint: SocketHint) => void) => CatalogSocket {
  return (onHint) =>
    createCatalogSocket({
      ...using,
      sign: () => client.signedUrl('/v1/ws'),
      onHint: (hint) => {
        hear(hint);
        onHint(hint);
      },
    });
}
