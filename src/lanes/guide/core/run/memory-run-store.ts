/** The memory of runs where nothing outlives the process: dry runs, evaluation, tests. What is kept is JSON, as elsewhere. */
import { NEW_MEMORY, type RunsMemory } from './memory.ts';
import { parseLine } from './stored-run.ts';
import type { JournalLine, LogLine, RunArchive, RunStore, Written } from './ports.ts';
import type { Escalation, RunRecord } from './run.types.ts';

export class MemoryRunStore implements RunStore {
  #memory: string;
  readonly log: LogLine[] = [];
  readonly records: RunRecord[] = [];
  readonly escalations: Escalation[] = [];
  readonly #journal: { run: string; line: string }[] = [];

  constructor(memory: RunsMemory = NEW_MEMORY) {
    this.#memory = JSON.stringify(memory);
  }

  get memory(): RunsMemory {
    return JSON.parse(this.#memory) as RunsMemory;
  }

  change<Value>(work: (memory: RunsMemory) => Written & { value: Value }): Promise<Value> {
    // What the work throws is a rejection.
    return new Promise((resolve) => resolve(this.#write(work(this.memory))));
  }

  #write<Value>({ memory, journal, log, records, escalations, value }: Written & { value: Value }): Value {
    this.#memory = JSON.stringify(memory);
    this.#journal.push(...journal.map((line) => ({ run: line.run, line: JSON.stringify(line) })));
    this.log.push(...log);
    this.records.push(...records);
    this.escalations.push(...escalations);
    return value;
  }

  journal(run: string): Promise<JournalLine[]> {
    return Promise.resolve(this.#journal.filter((kept) => kept.run === run).map(({ line }) => parseLine(line)));
  }
}

/** What it left, as pages read it. */
export function archiveOf(store: MemoryRunStore): RunArchive {
  const newest = <Kept extends { at: number }>(kept: readonly Kept[]): Kept[] =>
    [...kept].reverse().sort((a, b) => b.at - a.at);
  return {
    records: (limit) => Promise.resolve(newest(store.records).slice(0, limit)),
    record: (id) => Promise.resolve(store.records.find((record) => record.id === id) ?? null),
    escalations: (limit) => Promise.resolve(newest(store.escalations).slice(0, limit)),
    memory: () => Promise.resolve(store.memory),
  };
}
