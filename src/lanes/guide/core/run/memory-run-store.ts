/** The memory of runs where nothing outlives the process: dry runs, evaluation, tests. What is kept is JSON, as elsewhere. */
import { NEW_MEMORY, type RunsMemory } from './memory.ts';
import { parseLine } from './stored-run.ts';
import type { JournalLine, LogLine, RunStore, Written } from './ports.ts';
import type { Escalation, RunRecord } from './run.types.ts';

export class MemoryRunStore implements RunStore {
  #memory = JSON.stringify(NEW_MEMORY);
  readonly log: LogLine[] = [];
  readonly records: RunRecord[] = [];
  readonly escalations: Escalation[] = [];
  readonly #journal: { run: string; line: string }[] = [];

  get memory(): RunsMemory {
    return JSON.parse(this.#memory) as RunsMemory;
  }

  change<Value>(work: (memory: RunsMemory) => Written & { value: Value }): Promise<Value> {
    const { memory, journal, log, records, escalations, value } = work(this.memory);
    this.#memory = JSON.stringify(memory);
    this.#journal.push(...journal.map((line) => ({ run: line.run, line: JSON.stringify(line) })));
    this.log.push(...log);
    this.records.push(...records);
    this.escalations.push(...escalations);
    return Promise.resolve(value);
  }

  journal(run: string): Promise<JournalLine[]> {
    return Promise.resolve(this.#journal.filter((kept) => kept.run === run).map(({ line }) => parseLine(line)));
  }
}
