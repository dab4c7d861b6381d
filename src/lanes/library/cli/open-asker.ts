/** The model that agents may ask, opened as a command's flags say. */
import type { CliFrame } from '#cli/lane-cli.ts';
import type { OpenedModel } from '#cli/open-model.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import { failed } from '#core/errors.ts';
import type { ModelWish } from '#core/ingest/agent.ts';
import { askProvider } from '#lanes/library/core/model/ask-provider.ts';
import type { ModelAsker } from '#lanes/library/core/model/model-ingester.ts';
import type { ModelFlags } from './model-flags.ts';

export interface OpenedAsker {
  /** null: no model was named. */
  ask: ModelAsker;
  close(): Promise<void>;
}

/**
 * Models of the provider that the command line names: the one that an agent wishes by name, else `--model`. Each is opened
 * when it is first asked. What wishes another provider is told that it is not set up.
 */
export function openAsker(flags: ModelFlags, openModel: CliFrame['openModel']): OpenedAsker {
  const { provider, context, ...named } = flags;
  if (provider === undefined) return { ask: null, close: () => Promise.resolve() };
  const opened = new Map<string, Promise<OpenedModel>>();
  const open = async (wish: ModelWish): Promise<LlmProvider> => {
    if (wish.provider !== undefined && wish.provider !== provider)
      throw failed('model_missing', `the provider "${wish.provider}" is not set up here`);
    const model = wish.model ?? named.model;
    const key = model ?? '';
    const opening =
      opened.get(key) ??
      openModel({ ...named, ...(model === undefined ? {} : { model }), provider, context: Number(context) }, {});
    opened.set(key, opening);
    return (await opening).provider;
  };
  return {
    ask: askProvider(open, ({ provider: wished = provider, model = named.model ?? '' }) =>
      wished === provider ? `${provider}/${model}` : null,
    ),
    async close() {
      for (const opening of opened.values()) await opening.then((one) => one.close()).catch(() => undefined);
    },
  };
}
