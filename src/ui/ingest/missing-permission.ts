/** What is said at the place of drops to somebody who cannot publish. Pure. */
import type { ServerFacts, SyncState } from '#adapters/browser/api.ts';
import { lacksPermission } from '../shell/server-facts-words.ts';

/** What keeps this browser from publishing, who can help, and what goes on all the same. */
export interface Missing {
  what: string;
  remedy: string;
  goesOn: string;
  /** The way in is to sign in; else somebody else has to give something. */
  signIn: boolean;
}

/**
 * UI-145, UI-343: said before anything is dropped; null where nothing is missing.
 * @param copied the catalog was read here once, which is what files are matched to
 * @param link a sign-in link was opened that the server does not know
 */
export function missingPermission(
  { state }: Pick<SyncState, 'state'>,
  account: ServerFacts['account'],
  copied: boolean,
  link = false,
): Missing | null {
  if (!lacksPermission(state, account)) return null;
  const goesOn = copied
    ? 'Until then files are still matched and converted here; their results wait, and each can be exported (Settings, Publishing).'
    : 'Until then files are still taken in and kept here, and matched once the catalog could be read; videos are recognised and renamed without a server.';
  if (state !== 'unauthorized') {
    const who = account?.name ? `Signed in as ${account.name}, you` : 'You';
    return {
      what: `${who} may read this catalog and not add to it: the permission EditCatalog is missing.`,
      remedy: 'An administrator of the server can give it (Settings, People: the role Editor).',
      ...{ goesOn, signIn: false },
    };
  }
  if (link)
    return {
      what: 'The sign-in link that was opened is not good any more, so nothing can be published from here.',
      remedy:
        'A link is good for an hour. Start the server again or run “npm run -s accession -- link” for a new one, or ask the administrator of the server.',
      ...{ goesOn, signIn: true },
    };
  return {
    what: 'The server does not let this browser in, so nothing can be published from here.',
    remedy:
      'Open the sign-in link that the server printed, or that its administrator gives you, or sign in with a token.',
    ...{ goesOn, signIn: true },
  };
}
