/** One tool as a person uses it: what is typed, the run, the answer. */
import type { Failure } from '#core/errors.ts';
import { toFailure } from '#core/errors.ts';
import { CancelSource } from '#core/cancel.ts';
import { raisedIn } from '#core/toolbox/cage.ts';
import { ToolboxRun, type ToolAnswer } from '#core/toolbox/run.ts';
import type { ToolboxTool } from '#core/toolbox/tool.ts';
import { settingsRow } from '#ui/client/db.ts';
import { cage, sources } from '../client.ts';
import { download } from './download.svelte.ts';
import { agreedTo } from './agreed-code.ts';
import { fieldsOf, inputOf, textsOf, TypedWrong, type FormField, type Texts } from './form/fields.ts';

export interface Done {
  answer: ToolAnswer;
  input: Record<string, unknown>;
  /** Milliseconds, the start of the engine included. */
  ms: number;
}

export class ToolUse {
  readonly tool: ToolboxTool;
  readonly fields: readonly FormField[];
  texts = $state<Texts>({});
  /** Of free code: it was read. */
  agreed = $state(false);
  running = $state(false);
  done = $state.raw<Done | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** The field that is wrong, with what. */
  wrong = $state.raw<{ field: string; said: string } | null>(null);
  /** It came to one of the bounds that the settings raise. */
  bounded = $state(false);
  #stop: CancelSource | null = null;

  /** @param theme in which figures are drawn where nothing else is said */
  constructor(tool: ToolboxTool, theme: 'light' | 'dark') {
    this.tool = tool;
    this.fields = fieldsOf(tool);
    if (this.fields.some(({ name }) => name === 'theme')) this.texts = { theme };
  }

  fillExample(): void {
    this.texts = { ...this.texts, ...textsOf(this.fields, this.tool.example) };
    this.wrong = null;
  }

  async run(): Promise<void> {
    this.wrong = this.failure = null;
    this.bounded = false;
    let input: Record<string, unknown>;
    try {
      input = inputOf(this.fields, this.texts);
    } catch (thrown) {
      if (!(thrown instanceof TypedWrong)) throw thrown;
      this.wrong = { field: thrown.field, said: thrown.message };
      return;
    }
    this.running = true;
    this.#stop = new CancelSource();
    const began = performance.now();
    try {
      const run = new ToolboxRun({
        cage: cage(),
        net: sources(),
        raised: raisedIn(await settingsRow()),
        agreed: await agreedTo(this.agreed ? this.tool : null, input),
      });
      const answered = await run.call(this.tool, input, this.#stop);
      if (answered.ok) this.done = { answer: answered.answer, input, ms: performance.now() - began };
      else this.#refused(answered.failure);
    } catch (thrown) {
      this.failure = toFailure(thrown);
    } finally {
      this.running = false;
      download.end();
    }
  }

  cancel(): void {
    this.#stop?.abort();
  }

  #refused(failure: Failure): void {
    if (failure.code === 'cancelled') return;
    const { code, subject, message } = failure;
    // What was counted at a field is the tool's own bound.
    this.bounded = code === 'tool_timeout' || (code === 'tool_limit' && (subject === undefined || subject === 'code'));
    if (subject !== undefined && this.fields.some(({ name }) => name === subject))
      this.wrong = { field: subject, said: message.replace(`${this.tool.name}: `, '').replace(`${subject}: `, '') };
    else this.failure = failure;
    this.done = null;
  }
}
