import type { ReplicaState, SyncState } from '#adapters/browser/api.ts';
import { db, replicaRow, syncRow } from '../db.ts';
import { Live } from './live.svelte.ts';

const STARTING: SyncState = {
  online: true,
  state: 'starting',
  message: null,
  waiting: 0,
  oldest_waiting_at: null,
  last_contact_at: null,
  next_try_at: null,
};

const syncLive = new Live(async () => (await syncRow()) ?? STARTING, STARTING);
const replicaLive = new Live<ReplicaState | null>(replicaRow, null);
const outbox = new Live(
  async () => ({ all: await db.outbox.count(), parked: await db.outbox.where('state').equals('parked').count() }),
  { all: 0, parked: 0 },
  100,
);

/** How the workstation and the server stand to each other, in the words of the top bar. */
class Sync {
  readonly state: SyncState = $derived(syncLive.current);
  readonly replica: ReplicaState | null = $derived(replicaLive.current);
  /** Results in the outbox. */
  readonly waiting: number = $derived(outbox.current.all);
  /** Of those, the ones that need a person. */
  readonly parked: number = $derived(outbox.current.parked);

  readonly serverWord: string = $derived.by(() => {
    switch (this.state.state) {
      case 'ok':
        return 'Connected';
      case 'starting':
        return 'Connecting';
      case 'offline':
        return 'Not reachable';
      case 'unauthorized':
        return 'Not signed in';
      case 'server_error':
        return 'Server error';
    }
  });

  readonly sentence: string = $derived(waitingSentence(this.state.state, this.waiting, this.parked));
}

/** The sentence of the status region: whether the server is there and how many results wait. */
export function waitingSentence(state: SyncState['state'], waiting: number, parked: number): string {
  const wait = `${waiting} ${waiting === 1 ? 'result waits' : 'results wait'}`;
  const they = waiting === 1 ? 'it is' : 'they are';
  const attention = parked === 0 ? '' : `, ${parked} of them ${parked === 1 ? 'needs' : 'need'} you`;
  if (state === 'offline') {
    return waiting === 0
      ? 'Server not reachable: 0 results wait. Go on working, results are published when it is back'
      : `Server not reachable: ${wait}, ${they} published when it is back`;
  }
  if (state === 'unauthorized') return `Not signed in: ${wait}, ${they} published once the server accepts your token`;
  if (state === 'server_error') {
    return `The server has a problem: ${wait}, tried again by ${waiting === 1 ? 'itself' : 'themselves'}`;
  }
  return waiting === 0 ? 'Everything is published' : `${wait} to be published${attention}`;
}

export const sync = new Sync();
