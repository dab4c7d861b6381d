/** Where the key of the model's server comes from. It is kept in memory alone. */
import { ok, type Result } from '#core/result.ts';
import { runKeyCommand, type KeyCommandOptions } from './key-command.ts';

export type KeySetting = { kind: 'none' } | { kind: 'fixed'; key: string } | { kind: 'command'; command: string };

/** Former keys that are still kept out of every text. */
const REMEMBERED = 16;

export class KeySource {
  readonly #setting: KeySetting;
  readonly #limits: KeyCommandOptions;
  /** Every key that was in use lately, the newest first. */
  #known: string[];
  #current: string | null;
  /** The run under way: whoever asks meanwhile waits for the same one. */
  #running: Promise<Result<string | null>> | null = null;

  constructor(setting: KeySetting, limits: KeyCommandOptions = {}) {
    this.#setting = setting;
    this.#limits = limits;
    this.#current = setting.kind === 'fixed' ? setting.key : null;
    this.#known = this.#current === null ? [] : [this.#current];
  }

  /** What must be in no answer and no log. */
  get known(): readonly string[] {
    return this.#known;
  }

  /** A refused key can be replaced by running the command again. */
  get renewable(): boolean {
    return this.#setting.kind === 'command';
  }

  /** The key, from the command where there is one and it has not run yet; null where none is set. */
  async get(): Promise<Result<string | null>> {
    if (this.#setting.kind !== 'command' || this.#current !== null) return ok(this.#current);
    return this.#run(this.#setting.command);
  }

  /** The key that follows one that was refused; the command runs again unless somebody has done that already. */
  async after(refused: string | null): Promise<Result<string | null>> {
    if (this.#setting.kind === 'command' && this.#current === refused) this.#current = null;
    return this.get();
  }

  #run(command: string): Promise<Result<string | null>> {
    this.#running ??= runKeyCommand(command, this.#limits)
      .then((result) => {
        if (result.ok) {
          this.#current = result.value;
          this.#known = [...new Set([result.value, ...this.#known])].slice(0, REMEMBERED);
        }
        return result;
      })
      .finally(() => {
        this.#running = null;
      });
    return this.#running;
  }
}
