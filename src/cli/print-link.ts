import { failed } from '#core/errors.ts';
import type { Clock, Ids } from '#core/ports.ts';
import { ADMIN_USER, makeLinkToken } from '#server/auth/tokens.ts';
import { findRow } from '#server/store/rows.ts';
import type { Store } from '#server/store/store.ts';

/**
 * Says a new link that signs a browser in as the server's admin, for an hour.
 * @param server the address at which the person opens the server
 * @throws AccessionError `invalid`: it is no address, or the server was never started on this data
 */
export async function printLink(
  store: Store,
  using: { clock: Clock; ids: Ids },
  server: string,
  say: (line: string) => void,
): Promise<void> {
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol))
    throw failed('invalid', `--server: "${server}" is no address like http://127.0.0.1:8787.`);
  if ((await findRow(store.db, 'users', ADMIN_USER)) === undefined)
    throw failed('invalid', 'The server was never started on this data: start it once, it prints a link itself.');
  const token = await makeLinkToken(store, using);
  say(`${new URL(server).origin}/#token=${encodeURIComponent(token)}`);
}
