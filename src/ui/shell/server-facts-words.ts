import type { ServerFacts, SyncState } from '#adapters/browser/api.ts';
import { mayWork } from '#core/sync/people.ts';

export const NO_FACTS: ServerFacts = { account: null, lends: null, for_all: false };

/** Whether what is made here can be published; also where nothing is known against it. */
export const mayAdd = (account: ServerFacts['account']): boolean => account === null || mayWork(account.scopes);

/** Whether something keeps this browser from publishing that a person can mend; missing-permission.ts says what. */
export const lacksPermission = (state: SyncState['state'], account: ServerFacts['account']): boolean =>
  state === 'unauthorized' || (state === 'ok' && !mayAdd(account));

/** Whether a token of these scopes may change the catalog. */
export function mayEdit(scopes: readonly string[]): boolean {
  return scopes.includes('EditCatalog') || scopes.includes('Admin');
}
