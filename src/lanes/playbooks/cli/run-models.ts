/** Which models a playbook's names stand for: `--model-map`, `[playbooks.models]`, or one provider for all. */
import type { CliFrame } from '#cli/lane-cli.ts';
import type { OpenedModel } from '#cli/open-model.ts';
import { failed } from '#core/errors.ts';
import type { PlaybookModels } from '#lanes/playbooks/core/run/ports.ts';
import { mappedTo, modelTarget, type ModelTarget } from '#lanes/playbooks/core/run/model-map.ts';
import { WrongUsage } from './read-source.ts';

export interface ModelFlags {
  modelMap?: string[];
  provider?: string;
  model?: string;
  baseUrl?: string;
  context?: string;
  record?: string;
  replay?: string;
  price?: string;
}

export interface OpenModels extends PlaybookModels {
  close(): Promise<void>;
}

/** Throws WrongUsage for flags that say nothing. */
export function runModels(
  flags: ModelFlags,
  kept: Readonly<Record<string, string>>,
  openModel: CliFrame['openModel'],
): OpenModels {
  const map = new Map<string, ModelTarget>();
  for (const [name, target] of [...Object.entries(kept), ...(flags.modelMap ?? []).map(pairOf)])
    map.set(name, targetOf(target));
  const opened = new Map<string, Promise<OpenedModel>>();
  if (flags.record !== undefined && flags.replay !== undefined)
    throw new WrongUsage('Say --record or --replay, not both.');

  const find = (name: string | null): ModelTarget | null => {
    if (flags.replay !== undefined) return { provider: 'recorded', model: flags.replay };
    const mapped = mappedTo(map, name);
    if (mapped !== null) return mapped;
    const model = flags.model ?? name;
    return flags.provider === undefined || model === null ? null : { provider: flags.provider, model };
  };

  return {
    price: priceOf(flags.price),
    nameOf(name) {
      const target = find(name);
      if (target === null) return null;
      return target.provider === 'recorded' ? 'recorded' : `${target.provider}/${target.model}`;
    },
    async open(name) {
      const target = find(name);
      if (target === null) throw failed('model_missing', `Nothing is known that "${name ?? 'the model'}" stands for.`);
      const key = JSON.stringify(target);
      const opening = opened.get(key) ?? openModel(modelFlags(target, flags, opened.size), {});
      opened.set(key, opening);
      return (await opening).provider;
    },
    async close() {
      for (const opening of opened.values()) await opening.then((one) => one.close()).catch(() => undefined);
    },
  };
}

function modelFlags(
  { provider, model }: ModelTarget,
  flags: ModelFlags,
  before: number,
): Parameters<CliFrame['openModel']>[0] {
  const context = Number(flags.context ?? 32_768);
  if (provider === 'recorded') return { provider, cassette: model, context };
  // One file a model: the first has the name that was said.
  const record =
    flags.record === undefined ? {} : { record: before === 0 ? flags.record : `${flags.record}.${before + 1}` };
  const baseUrl = flags.baseUrl === undefined ? {} : { baseUrl: flags.baseUrl };
  return { provider, model, context, ...baseUrl, ...record };
}

function pairOf(said: string): [string, string] {
  const at = said.indexOf('=');
  if (at <= 0) throw new WrongUsage(`--model-map takes NAME=PROVIDER/MODEL, not "${said}".`);
  return [said.slice(0, at), said.slice(at + 1)];
}

function targetOf(said: string): ModelTarget {
  const target = modelTarget(said);
  if (target === null) throw new WrongUsage(`"${said}" is no PROVIDER/MODEL.`);
  return target;
}

function priceOf(said: string | undefined): { in: number; out: number } {
  if (said === undefined) return { in: 0, out: 0 };
  const match = /^(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/.exec(said.trim());
  if (match === null)
    throw new WrongUsage('--price is two numbers with a comma between: US dollars for a million tokens in and out.');
  return { in: Number(match[1]), out: Number(match[2]) };
}
