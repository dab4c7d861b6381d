/** The models of a playbook's names as the settings of this browser map them; the settings' own model for every other name. */
import type { AgentModel } from '#core/agent/workflow/ports.ts';
import { PROVIDER_IDS, type ProviderId } from '#core/agent/llm/providers.ts';
import type { Settings } from '#core/config.ts';
import { AccessionError, failed } from '#core/errors.ts';
import { mappedTo, modelTarget, type ModelTarget } from '../core/run/model-map.ts';
import type { PlaybookModels } from '../core/run/ports.ts';

export interface NamedModel {
  provider: ProviderId;
  model: string;
}

/** null: no provider of a browser is called so. */
export function namedModel(said: string): NamedModel | null {
  const target = modelTarget(said);
  const provider = PROVIDER_IDS.find((id) => id === target?.provider && id !== 'none');
  return target === null || provider === undefined ? null : { provider, model: target.model };
}

/** @param modelOf of the settings, or another than theirs. `any`: some name is answered. */
export async function settingsModels(
  settings: Pick<Settings, 'playbooks_models' | 'playbooks_others' | 'llm_price_in' | 'llm_price_out'>,
  modelOf: (named: NamedModel | null) => Promise<AgentModel | null>,
): Promise<PlaybookModels & { any: boolean }> {
  const map = new Map<string, NamedModel>();
  for (const [name, said] of Object.entries(settings.playbooks_models)) {
    const target = namedModel(said);
    if (target !== null) map.set(name, target);
  }
  const own = settings.playbooks_others ? await modelOf(null) : null;
  const find = (name: string | null): NamedModel | null => mappedTo(map, name) as NamedModel | null;
  const said = ({ provider, model }: ModelTarget): string => `${provider}/${model}`;
  return {
    any: own !== null || map.size > 0,
    price: { in: settings.llm_price_in, out: settings.llm_price_out },
    nameOf(name) {
      const target = find(name) ?? own;
      return target === null ? null : said(target);
    },
    async open(name) {
      const target = find(name);
      const model = target === null ? own : await modelOf(target);
      if (model === null) throw failed('model_missing', `Nothing is known that "${name ?? 'the model'}" stands for.`);
      const opened = await model.open();
      if (!opened.ok) throw new AccessionError(opened.failure);
      return opened.value;
    },
  };
}
