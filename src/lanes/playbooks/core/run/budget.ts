/** What a step or a run may use (PB-42): a call that would go over is not begun. */
import type { Limits } from '../check/step-values.ts';
import type { LimitKey } from '../read/playbook.types.ts';

export class Budget {
  readonly limits: Limits;
  #model = 0;
  #tool = 0;
  #tokens = 0;
  #cost = 0;
  readonly #elapsed: () => number;
  readonly #priceIn: number;

  /**
   * @param elapsed milliseconds so far
   * @param priceIn US dollars for a million tokens of a prompt
   */
  constructor(limits: Limits, elapsed: () => number, priceIn: number) {
    this.limits = limits;
    this.#priceIn = priceIn;
    this.#elapsed = elapsed;
  }

  /** What was used, in this session or before. */
  add({
    model = 0,
    tool = 0,
    tokens = 0,
    cost = 0,
  }: {
    model?: number;
    tool?: number;
    tokens?: number;
    cost?: number;
  }): void {
    this.#model += model;
    this.#tool += tool;
    this.#tokens += tokens;
    this.#cost += cost;
  }

  /** The limit that one more model call would go over by its prompt alone; null: none. */
  beforeModel(tokens: number): LimitKey | null {
    const { model_calls, tokens: most, cost_usd, seconds } = this.limits;
    if (model_calls !== undefined && this.#model + 1 > model_calls) return 'model_calls';
    if (most !== undefined && this.#tokens + tokens > most) return 'tokens';
    const prompt = (tokens * this.#priceIn) / 1_000_000;
    if (cost_usd !== undefined && (this.#cost >= cost_usd || this.#cost + prompt > cost_usd)) return 'cost_usd';
    return seconds !== undefined && this.#elapsed() >= seconds * 1000 ? 'seconds' : null;
  }

  beforeTool(): LimitKey | null {
    const { tool_calls, seconds } = this.limits;
    if (tool_calls !== undefined && this.#tool + 1 > tool_calls) return 'tool_calls';
    return seconds !== undefined && this.#elapsed() >= seconds * 1000 ? 'seconds' : null;
  }

  /** Milliseconds for one unit; null: no limit. */
  get unitMs(): number | null {
    const { unit_seconds } = this.limits;
    return unit_seconds === undefined ? null : unit_seconds * 1000;
  }
}
