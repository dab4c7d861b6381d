/** Answers as they come, for who looks at a run that is under way: they are in no journal before they are whole. */
import { standIn } from '#core/agent/llm/stand-in.ts';
import type { PlaybookModels } from '../core/run/ports.ts';
import type { PartAnswer } from './playbook-api.types.ts';

/** Characters of an answer that are kept. */
const MOST = 4000;

export class Answering {
  readonly #runs = new Map<string, Map<string, PartAnswer>>();

  /** The same models, whose answers are heard. */
  heard(run: string, models: PlaybookModels): PlaybookModels {
    const parts = new Map<string, PartAnswer>();
    this.#runs.set(run, parts);
    return {
      ...models,
      nameOf: (name) => models.nameOf(name),
      async open(name, of) {
        const provider = await models.open(name, of);
        const key = JSON.stringify([of.step, of.unit]);
        return standIn(provider, {
          async complete(messages, tools, options) {
            const part = { ...of, text: '' };
            parts.set(key, part);
            const onText = (delta: string): void => {
              part.text = (part.text + delta).slice(-MOST);
              options.onText?.(delta);
            };
            try {
              return await provider.complete(messages, tools, { ...options, onText });
            } finally {
              parts.delete(key);
            }
          },
        });
      },
    };
  }

  /** Those that come now, of a run that is worked on here. */
  of(run: string): PartAnswer[] {
    return [...(this.#runs.get(run)?.values() ?? [])].map((part) => ({ ...part }));
  }

  forget(run: string): void {
    this.#runs.delete(run);
  }
}
