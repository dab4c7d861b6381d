import type { ServerFacts, SyncState } from '#adapters/browser/api.ts';
import { mayWork } from '#core/sync/people.ts';

export const NO_FACTS: ServerFacts = { account: null, lends: null, for_all: false };

/** Whether what is made here can be published; also where nothing is known against it. */
export const mayAdd = (account: ServerFacts['account']): boolean => account === null || mayWork(account.scopes);

/** What keeps this browser from publishing, who can help, and what goes on all the same. */
export interface Missing {
  what: string;
  remedy: string;
  goesOn: string;
}

/**
 * UI-145: said before anything is dropped; null where nothing is missing. `copied`: the catalog was read here once, which
 * is what files are matched to.
 */
export function missingPermission(
  sync: Pick<SyncState, 'state' | 'message'>,
  account: ServerFacts['account'],
  copied: boolean,
): Missing | null {
  const here = copied
    ? 'Without it files are still matched and converted here; their results wait, and each can be exported (Settings, Publishing).'
    : 'Without it files are still taken in and kept here, and matched once the catalog could be read; videos are recognised and renamed without a server.';
  if (sync.state === 'unauthorized')
    return {
      what: 'The server does not let this browser in, so nothing can be published.',
      remedy: 'Sign in with a link or a token of its administrator (Settings, Server).',
      goesOn: here,
    };
  if (sync.state !== 'ok' || mayAdd(account)) return null;
  const who = account?.name ? `Signed in as ${account.name}, you` : 'You';
  return {
    what: `${who} may read this catalog and not add to it: the permission EditCatalog is missing.`,
    remedy: 'An administrator of the server can give it (Settings, People: the role Editor).',
    goesOn: here,
  };
}

/** Whether a token of these scopes may change the catalog. */
export function mayEdit(scopes: readonly string[]): boolean {
  return scopes.includes('EditCatalog') || scopes.includes('Admin');
}
