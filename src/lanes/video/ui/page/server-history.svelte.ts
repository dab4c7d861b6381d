/** What became of plans on the server, whoever carried them out, and the way back. */
import { SvelteMap } from 'svelte/reactivity';
import type { ServerUndo } from '#adapters/http/plan-client.ts';
import type { Plan } from '#core/plan/plan.ts';
import type { PastPlan } from '#core/sync/plan-protocol.ts';
import { ask } from '#ui/client/workers.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';
import { plural } from '#ui/parts/words.ts';
import { serverPlans, serverRecords } from '../client.ts';
import { whilePlansChange } from './while-plans-change.ts';

const PART = 20;

export type Refused = Extract<ServerUndo, { result: 'refused' }>;

export class ServerHistoryList {
  items = $state.raw<readonly PastPlan[]>([]);
  more = $state(false);
  /** Id of the plan that is being undone. */
  undoing = $state<string | null>(null);
  /** What was in the way of an undo, by plan. */
  readonly refused = new SvelteMap<string, Refused>();
  /** Plans with their files, as far as they were opened; null: it could not be read. */
  readonly plans = new SvelteMap<string, Plan | null>();
  #limit = PART;

  /** Looks now and again while the page is in sight. A server that does not answer shows what was known last. */
  watch(): () => void {
    return whilePlansChange(() => this.undoing === null && void this.load());
  }

  async load(): Promise<void> {
    const found = await (await serverPlans())?.history(this.#limit);
    if (found?.ok !== true) return;
    this.items = found.value.items;
    this.more = found.value.more;
  }

  async older(): Promise<void> {
    this.#limit = Math.min(500, this.#limit + PART);
    await this.load();
  }

  /** The plan's files, read when they are first looked at. */
  async open(id: string): Promise<void> {
    if (this.plans.has(id)) return;
    const found = await (await serverPlans())?.plan(id);
    this.plans.set(id, found?.ok === true ? found.value.plan : null);
  }

  async undo({ id, task }: PastPlan): Promise<void> {
    // Taken before anything is waited for: a second press finds the first under way, however long its client takes.
    if (this.undoing !== null) return;
    this.undoing = id;
    const client = await serverPlans();
    const answer = await client?.undo(id);
    this.undoing = null;
    if (answer === undefined) return;
    this.refused.delete(id);
    if (!answer.ok) toasts.fail(answer.failure);
    else if (answer.value.result === 'refused') this.refused.set(id, answer.value);
    else toasts.say(saidOf(task, answer.value.renamed, answer.value.recorded ?? 0));
    await this.load();
  }

  /** The rename plan of what a recognition recorded: it waits above then. */
  async rename({ mediaFolderPath }: PastPlan): Promise<void> {
    const client = await serverRecords();
    const made = client === null ? null : await ask(client.renamePlan({ mediaFolderPath }));
    if (made === null) return;
    const lacking = made.problems.length === 0 ? '' : ` ${plural(made.problems.length, 'file')} got no name.`;
    toasts.say(
      made.planId === null
        ? `Every file has its name already.${lacking}`
        : `A plan of new names for ${plural(made.files, 'file')} waits above.${lacking}`,
    );
  }
}

function saidOf(task: string, renamed: number, recorded: number): string {
  return task === 'rename-files'
    ? `${plural(renamed, 'file has its former name', 'files have their former names')} again.`
    : `The records of ${plural(recorded, 'file')} are as they were before.`;
}

/** What became of it. */
export function pastWords({ result, task }: Pick<PastPlan, 'result' | 'task'>): string {
  const recognition = task !== 'rename-files';
  switch (result) {
    case 'renamed':
      return 'Renamed';
    case 'written':
      return 'Written';
    case 'undone':
      return 'Renamed and undone';
    case 'rolled-back':
      return 'Begun and put back';
    case 'abandoned':
      return 'Left half-way';
    case 'interrupted':
      return 'Interrupted';
    case 'completed':
      return recognition ? 'Recognised' : 'Renamed by a program';
    case 'taken-back':
      return 'Recognised and taken back';
    case 'rejected':
      return recognition ? 'Recognition rejected' : 'Not renamed';
  }
}

const MAKERS = { rules: 'by the rules', agent: 'by an agent or a program', person: 'by a person' } as const;

/** Who made the plan, and how. */
export function makerWords({ made_by, source }: Pick<PastPlan, 'made_by' | 'source'>): string {
  return source === null ? made_by : `${made_by}, ${MAKERS[source]}`;
}
