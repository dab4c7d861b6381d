/** Guides where nothing outlives the process: dry runs, the terminal, tests. What goes in and out is copied, as elsewhere. */
import { failed } from '#core/errors.ts';
import { atOnce } from '#core/steps.ts';
import type { ChannelRecord, GuideDraft, GuideRecord, MendRow, PackedDay, StoredLineup } from './guide-records.ts';
import type { DayRange, GuideStage, GuideStore, MendScope, MendWork, StagedRows } from './guide-store.ts';
import { copy, MemoryGuideNotes } from './memory-guide-notes.ts';
import { byStoredOrder, isInRange, isInScope } from './store-order.ts';

interface Rows {
  channels: ChannelRecord[];
  programmes: PackedDay[];
  faults: PackedDay[];
}

export class MemoryGuideStore extends MemoryGuideNotes implements GuideStore {
  readonly #guides = new Map<string, GuideRecord>();
  /** By guide: the import that was begun last. */
  readonly #stages = new Map<string, string>();
  /** By import. */
  readonly #rows = new Map<string, Rows>();
  readonly #lineups = new Map<string, StoredLineup>();
  readonly #mends = new Map<string, MendRow>();
  #imports = 0;

  rest(): Promise<void> {
    return Promise.resolve();
  }

  guides(): Promise<GuideRecord[]> {
    return Promise.resolve(copy([...this.#guides.values()]).sort(byStoredOrder));
  }

  guide(id: string): Promise<GuideRecord | null> {
    return Promise.resolve(copy(this.#guides.get(id) ?? null));
  }

  stage(guide: string): Promise<GuideStage> {
    const id = `i${++this.#imports}`;
    this.#dropStage(guide);
    this.#stages.set(guide, id);
    const rows: Rows = { channels: [], programmes: [], faults: [] };
    this.#rows.set(id, rows);
    const holds = (): boolean => this.#stages.get(guide) === id;
    return Promise.resolve({
      add: async ({ channels = [], programmes = [], faults = [] }: StagedRows) => {
        if (!holds()) throw replaced();
        rows.channels.push(...copy(channels));
        rows.programmes.push(...copy(programmes));
        rows.faults.push(...copy(faults));
        return Promise.resolve();
      },
      finish: async (draft: GuideDraft) => {
        if (!holds()) throw replaced();
        const before = this.#guides.get(guide);
        if (before !== undefined) this.#rows.delete(before.import);
        this.#stages.delete(guide);
        this.beginLookups();
        const record = {
          ...copy(draft),
          schema_version: 1,
          id: guide,
          import: id,
        } as const;
        this.#guides.set(guide, {
          ...record,
          revision: (before?.revision ?? 0) + 1,
        });
        return Promise.resolve({
          ...record,
          revision: (before?.revision ?? 0) + 1,
        });
      },
      drop: async () => {
        if (holds()) this.#dropStage(guide);
        return Promise.resolve();
      },
    });
  }

  #dropStage(guide: string): void {
    const stage = this.#stages.get(guide);
    if (stage !== undefined) this.#rows.delete(stage);
    this.#stages.delete(guide);
  }

  remove(guide: string): Promise<void> {
    const record = this.#guides.get(guide);
    this.#dropStage(guide);
    if (record !== undefined) this.#rows.delete(record.import);
    this.#guides.delete(guide);
    this.#lineups.delete(guide);
    for (const [id, row] of this.#mends) if (row.guide === guide) this.#mends.delete(id);
    this.forget(guide);
    return Promise.resolve();
  }

  channels(guide: string): Promise<ChannelRecord[]> {
    return Promise.resolve(copy(this.#rowsOf(guide)?.channels ?? []));
  }

  programmes(guide: string, range: DayRange): AsyncIterable<PackedDay> {
    return this.#days(guide, range, 'programmes');
  }

  faults(guide: string, range: DayRange): AsyncIterable<PackedDay> {
    return this.#days(guide, range, 'faults');
  }

  async *#days(guide: string, range: DayRange, kind: 'programmes' | 'faults'): AsyncGenerator<PackedDay> {
    const rows = this.#rowsOf(guide);
    if (rows === null) return;
    const place = new Map<string | null, number>(rows.channels.map(({ id }, at) => [id, at]));
    const found = rows[kind]
      .map((row, at) => ({
        row,
        at,
        channel: row.channel === null ? -1 : (place.get(row.channel) ?? 0),
      }))
      .filter(({ row }) => isInRange(row, range))
      .sort((a, b) => a.channel - b.channel || (a.row.day ?? -Infinity) - (b.row.day ?? -Infinity) || a.at - b.at);
    for (const { row } of found) {
      if (this.#rowsOf(guide) !== rows) throw replaced();
      yield await Promise.resolve(copy(row));
    }
  }

  #rowsOf(guide: string): Rows | null {
    const record = this.#guides.get(guide);
    return (record && this.#rows.get(record.import)) ?? null;
  }

  lineup(guide: string): Promise<StoredLineup | null> {
    return Promise.resolve(copy(this.#lineups.get(guide) ?? null));
  }

  async putLineup(guide: string, lineup: StoredLineup | null): Promise<void> {
    if (!this.#guides.has(guide)) throw failed('not_found', 'This guide is not there any more.');
    if (lineup === null) this.#lineups.delete(guide);
    else this.#lineups.set(guide, copy(lineup));
    this.#changed([guide]);
    return Promise.resolve();
  }

  #changed(guides: Iterable<string>): void {
    for (const id of new Set(guides)) {
      const record = this.#guides.get(id);
      if (record !== undefined) this.#guides.set(id, { ...record, revision: record.revision + 1 });
    }
  }

  mends(scope: MendScope): Promise<MendRow[]> {
    return Promise.resolve(this.#mendsOf(scope));
  }

  #mendsOf(scope: MendScope): MendRow[] {
    return copy([...this.#mends.values()].filter((row) => isInScope(row, scope)));
  }

  mendsOfRun(run: string): Promise<MendRow[]> {
    return Promise.resolve(copy([...this.#mends.values()].filter((row) => row.run === run)));
  }

  async changeMends<Value>(scope: MendScope, work: MendWork<Value>): Promise<Value> {
    await Promise.resolve();
    const made = work(this.#mendsOf(scope));
    const { put, value } = 'put' in made ? made : atOnce(made);
    for (const row of put) this.#mends.set(row.id, copy(row));
    this.#changed(put.map(({ guide }) => guide));
    return value;
  }
}

const replaced = (): Error =>
  failed('conflict', 'The guide was replaced meanwhile.', {
    remedy: 'Try again: it is read anew.',
  });
