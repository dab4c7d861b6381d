import type { ReplicaState, SyncState } from '#adapters/browser/api.ts';
import { db, replicaRow, syncRow } from '../client/db.ts';
import { activeCount, askedElsewhere } from './counts.svelte.ts';
import { serverFacts } from './server-facts.svelte.ts';
import { catalogWait, waitingSentence } from './sync-words.ts';
import { Live } from '../parts/live.svelte.ts';
import { unchanged } from '../parts/unchanged.ts';

const STARTING: SyncState = {
  online: true,
  state: 'starting',
  message: null,
  waiting: 0,
  oldest_waiting_at: null,
  last_contact_at: null,
  next_try_at: null,
};

const syncLive = new Live(
  unchanged(async () => (await syncRow()) ?? STARTING),
  STARTING,
  0,
  ['meta'],
);
const replicaLive = new Live<ReplicaState | null>(unchanged(replicaRow), null, 0, ['meta']);
const outbox = new Live(
  async () => ({ all: await db.outbox.count(), parked: await db.outbox.where('state').equals('parked').count() }),
  { all: 0, parked: 0 },
  100,
  ['outbox'],
);

const SERVER_WORDS: Record<SyncState['state'], string> = {
  ok: 'Connected',
  starting: 'Connecting',
  offline: 'Not reachable',
  unauthorized: 'Not signed in',
  server_error: 'Server error',
};

/** The state between workstation and server, in the words of the top bar. */
class Sync {
  readonly state: SyncState = $derived(syncLive.current);
  readonly replica: ReplicaState | null = $derived(replicaLive.current);
  /** Results in the outbox. */
  readonly waiting: number = $derived(outbox.current.all);
  /** Of those, the ones that need a person. */
  readonly parked: number = $derived(outbox.current.parked);

  /** What keeps files from being looked for in the catalog; null: nothing. */
  readonly catalogWait: string | null = $derived(catalogWait(this.state.state, this.replica?.complete ?? false));
  readonly serverWord: string = $derived(SERVER_WORDS[this.state.state]);
  readonly sentence: string = $derived(
    waitingSentence(
      this.state.state,
      this.waiting,
      this.parked,
      serverFacts.mayAdd,
      activeCount.current,
      askedElsewhere.current,
    ),
  );
}

export const sync = new Sync();
