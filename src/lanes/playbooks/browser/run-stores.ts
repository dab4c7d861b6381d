/** Where the journal of a run is: in this browser, or in the folder of the disk that it works in. */
import type { RunStore } from '../core/run/ports.ts';
import { FolderRuns } from './folder-runs.ts';
import { IndexedRuns } from './indexed-runs.ts';
import type { PlaybookMachine } from './run-here.ts';
import type { PlaybookRunRow } from './schema.ts';

/** Milliseconds after which a journal in a folder is said to have grown. */
const EVERY_MS = 300;

type Place = Pick<PlaybookRunRow, 'folder' | 'journal'>;

export class RunStores {
  readonly #machine: PlaybookMachine;
  readonly #indexed: IndexedRuns;

  constructor(machine: PlaybookMachine) {
    this.#machine = machine;
    this.#indexed = new IndexedRuns(machine.db, machine.lock);
  }

  /** Other runs are read where they are. */
  at(place: Place): Pick<RunStore, 'create' | 'open' | 'read' | 'remove'> {
    const store = this.inFolder(place) ?? this.#indexed;
    return {
      create: (id) => store.create(id),
      open: (id) => store.open(id),
      read: async (id) => (this.inFolder(await this.#rowOf(id)) ?? this.#indexed).read(id),
      remove: (id) => store.remove(id),
    };
  }

  async of(id: string): Promise<ReturnType<RunStores['at']>> {
    return this.at(await this.#rowOf(id));
  }

  /** null: its journal is in this browser. */
  inFolder({ folder, journal }: Place): FolderRuns | null {
    if (folder === undefined || journal !== 'folder') return null;
    const { db, clock, lock, timers } = this.#machine;
    let waits = false;
    return new FolderRuns(folder, lock, (id) => {
      if (waits) return;
      waits = true;
      timers.set(() => {
        waits = false;
        void db.playbook_runs.update(id, { grown_at: clock.now() });
      }, EVERY_MS);
    });
  }

  async #rowOf(id: string): Promise<Place> {
    return (await this.#machine.db.playbook_runs.get(id)) ?? {};
  }
}
