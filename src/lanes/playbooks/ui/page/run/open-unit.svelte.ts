import { ask } from '#ui/client/workers.ts';
import { playbooks, type Mark, type UnitTrace } from '../../client.ts';

/** The unit of a run whose trace is shown: opened by its cell, or by a number of a record that comes from it. */
export class OpenUnit {
  shown = $state.raw<{ step: number; unit: number; trace: UnitTrace } | null>(null);
  /** The number of it that the person went to, from 0; null: none. */
  number = $state.raw<{ n: number } | null>(null);
  readonly #run: string;

  constructor(run: string) {
    this.#run = run;
  }

  isOpen(step: number, unit: number): boolean {
    return this.shown?.step === step && this.shown.unit === unit;
  }

  async toggle(step: number, unit: number): Promise<void> {
    this.number = null;
    if (this.isOpen(step, unit)) this.shown = null;
    else await this.#open(step, unit);
  }

  /** To the call, or to what else a number comes from. */
  async follow({ step, unit, n }: Mark): Promise<void> {
    if (unit === null) return;
    if (!this.isOpen(step, unit)) await this.#open(step, unit);
    this.number = { n };
  }

  async #open(step: number, unit: number): Promise<void> {
    const trace = await ask(playbooks().unit(this.#run, step, unit));
    if (trace !== null) this.shown = { step, unit, trace };
  }
}
