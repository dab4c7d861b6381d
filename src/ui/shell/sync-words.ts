import type { SyncState } from '#adapters/browser/api.ts';
import { plural } from '../parts/words.ts';

/**
 * The sentence of the status region: whether the server is there and how many results wait. `mayAdd`: the server is known
 * to take results of this browser, or nothing is known against it. `underWay`: files that are not done yet; while there are
 * any, nothing is said to be over (UI-261). `elsewhere`: open questions about files on other workstations and on the
 * server.
 */
export function waitingSentence(
  state: SyncState['state'],
  waiting: number,
  parked: number,
  mayAdd = true,
  underWay = 0,
  elsewhere = 0,
): string {
  const wait = `${waiting} ${waiting === 1 ? 'result waits' : 'results wait'}`;
  const they = waiting === 1 ? 'it is' : 'they are';
  const attention = parked === 0 ? '' : `, ${parked} of them ${parked === 1 ? 'needs' : 'need'} you`;
  if (state === 'offline') {
    return waiting === 0
      ? 'Server not reachable. Go on working: results are published when it is back'
      : `Server not reachable: ${wait}, ${they} published when it is back`;
  }
  if (state === 'unauthorized') return `Not signed in: ${wait}, ${they} published once the server accepts your token`;
  if (state === 'server_error') {
    return `The server has a problem: ${wait}, tried again by ${waiting === 1 ? 'itself' : 'themselves'}`;
  }
  if (!mayAdd && waiting === 0) return 'You may read here, and not publish';
  if (!mayAdd) return `You may not publish here: ${wait}, ${they} published once an administrator lets you`;
  if (waiting > 0) return `${wait} to be published${attention}`;
  if (underWay === 0 && elsewhere > 0)
    return `Nothing waits here, ${plural(elsewhere, 'question')} about files elsewhere ${elsewhere === 1 ? 'is' : 'are'} open`;
  return underWay === 0
    ? 'Everything is published'
    : `${plural(underWay, 'file')} under way, nothing waits to be published`;
}

/** UI-346: what files wait for that are to be looked for in a catalog that was never read here; null where it is here. */
export function catalogWait(state: SyncState['state'], copied: boolean): string | null {
  if (copied) return null;
  if (state === 'unauthorized') return 'Waits for you to sign in';
  return state === 'offline' ? 'Waits for the server' : null;
}
