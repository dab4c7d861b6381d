/** Plans that wait for a person on the server: an agent made them, or somebody from the command line. */
import type { Plan, PlanState } from '#core/plan/plan.ts';
import { ask } from '#ui/client/workers.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';
import { plural } from '#ui/parts/words.ts';
import { serverPlans } from '../client.ts';
import { whilePlansChange } from './while-plans-change.ts';

export interface WaitingPlan {
  plan: Plan;
  state: PlanState;
}

/** How many plans of the server were decided here: who lists what became of them looks again. */
export const decisions = $state({ count: 0 });

export class ServerPlanList {
  waiting = $state.raw<readonly WaitingPlan[]>([]);
  /** Id of the plan that is being decided. */
  busy = $state<string | null>(null);

  /**
   * VIDEO-95: looks now, when the server speaks of a plan, and now and again, until it is stopped. A server that does not
   * answer shows nothing, the bar above says why.
   */
  watch(): () => void {
    return whilePlansChange(() => this.busy === null && void this.load());
  }

  async load(): Promise<void> {
    const found = await (await serverPlans())?.pending();
    this.waiting = found?.ok === true ? found.value.items : [];
  }

  /** What prevents a rename on the server, and the hash that binds it to what is shown. */
  async preview(
    id: string,
  ): Promise<{ hash: string; problems: readonly { message: string; remedy: string }[] } | null> {
    const client = await serverPlans();
    return client === null ? null : ask(client.preview(id));
  }

  async decide({ plan }: WaitingPlan, status: 'completed' | 'rejected', previewHash?: string): Promise<void> {
    this.busy = plan.id;
    const client = await serverPlans();
    const answer = await client?.update({
      planId: plan.id,
      status,
      ...(previewHash === undefined ? {} : { previewHash }),
    });
    this.busy = null;
    decisions.count += 1;
    if (answer?.ok === true) toasts.say(saidOf(plan, status, answer.value.outcome?.renamed));
    else if (answer !== undefined) toasts.fail(answer.failure);
    await this.load();
  }
}

function saidOf(plan: Plan, status: 'completed' | 'rejected', renamed: number | undefined): string {
  if (status === 'rejected') return 'The plan is rejected.';
  return renamed === undefined
    ? `${plural(plan.files.length, 'entry', 'entries')} confirmed.`
    : `${plural(renamed, 'file')} renamed on the server.`;
}
