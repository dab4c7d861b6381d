/** What the settings say about models. */
import type { DownloadProgress, LocalModel, MachineReport } from '#adapters/models/model-api.ts';
import type { Nearness } from '#adapters/llm/providers/provider.ts';
import { providerOf } from '#adapters/llm/providers/providers.ts';
import { ENGINES } from '#adapters/models/engines.ts';
import type { HealthStageName } from '#core/agent/llm/provider.ts';
import type { LocalEngine, ProviderId } from '#core/agent/llm/providers.ts';
import { proofOf } from '#core/agent/llm/tool-proof.ts';
import { LEAST_CONTEXT, pickStrategy } from '#core/agent/workflow/strategy.ts';
import type { Settings } from '#core/config.ts';
import { formatDuration } from '#core/text/duration.ts';
import { bytes, elapsed, moment } from '../../parts/words.ts';

/**
 * One sentence: what leaves this computer. `address` is null where it is not known, or none; `near` is how near it is.
 */
export function whatLeaves(id: ProviderId, address: string | null, near: Nearness | null): string {
  return providerOf(id).whatLeaves(address === null ? 'that address' : new URL(address).origin, near);
}

/** The stages of the check, as rows. */
export const STAGE_WORDS: Record<HealthStageName, string> = {
  reachable: 'Reachable',
  permitted: 'Permitted',
  model: 'Model',
  schema: 'Keeps to a schema',
  speed: 'Speed',
  tools: 'Calls tools',
};

/** Whether the model that is set calls tools: `yes, proven on 23 Nov 2026, 14:02`. */
export function callsWords(settings: Settings): string {
  const { place } = providerOf(settings.llm_provider);
  if (place === 'browser') return 'not by itself: models in this browser answer by a schema';
  const proof = proofOf(settings);
  if (proof === null) return 'not tried: press Test';
  return proof.calls ? `yes, proven on ${moment(proof.at)}` : `no, tried on ${moment(proof.at)}`;
}

const BY_CALLS = 'by tool calls: it looks things up itself';
const BY_CHOICE = 'for a choice: code looks things up, it answers a letter';

/** How the model is asked by the strategy that is set, and where that is left to what it can do, why so. */
export function askedNow(settings: Settings): string {
  const { llm_strategy: setting, llm_provider: name } = settings;
  if (setting === 'choice') return `${BY_CHOICE} (set here)`;
  if (setting === 'tools') return `${BY_CALLS} where it can at all (set here)`;
  const { place, takesContextLength } = providerOf(name);
  const proof = proofOf(settings);
  if (place === 'browser') return BY_CHOICE;
  const set = settings.llm_context_length;
  const contextLength = takesContextLength ? Math.min(set, proof?.context ?? set) : (proof?.context ?? LEAST_CONTEXT);
  const short = `its context of ${contextLength.toLocaleString('en')} tokens is too short for a row of calls (${LEAST_CONTEXT.toLocaleString('en')})`;
  if (contextLength < LEAST_CONTEXT) return `${BY_CHOICE}, because ${short}`;
  if (proof === null) return 'by what its server says that it can do, until it is tried';
  const { calls } = proof;
  const capabilities = { ...ANY, contextLength, nativeTools: calls };
  const picked = pickStrategy('auto', { name, proven: calls, capabilities });
  return picked === 'tools' ? BY_CALLS : `${BY_CHOICE}, because it does not call tools`;
}

/** What decides nothing here. */
const ANY = { jsonSchema: true, grammar: false, logprobs: false, streaming: true };

/** Tokens that an answer to one question has, roughly. */
const ANSWER_TOKENS = 60;

/** What a speed means for waiting: `A question takes about 12 s`. */
export function speedWords(msPerToken: number): string {
  const question = elapsed(msPerToken * ANSWER_TOKENS);
  const slow = msPerToken > 500 ? ' That is slow: a smaller model helps.' : '';
  return `A question takes about ${question}, and more with many candidates.${slow}`;
}

/** What this machine offers for models of an engine: what is missing comes with its remedy. */
export const machineWords = (machine: MachineReport, engine: LocalEngine) => ENGINES[engine].machineWords(machine);

/** `1.1 GB to download, 2.0 GB of memory, context of 4,096 tokens`. */
export function modelSize(model: LocalModel): string {
  const rest = model.download_bytes - model.have_bytes;
  const download =
    model.state === 'ready'
      ? bytes(model.have_bytes)
      : model.state === 'partial' && rest > 0
        ? `${bytes(rest)} of ${bytes(model.download_bytes)} to download`
        : `${bytes(model.download_bytes)} to download`;
  return `${download} \u00b7 ${bytes(model.memory_bytes)} of memory \u00b7 context of ${model.context_length.toLocaleString('en')} tokens`;
}

/** `210 MB of 1.1 GB · 12 MB/s · 1:15 left`. */
export function downloadWords(progress: DownloadProgress | null): string {
  if (progress === null) return 'Beginning...';
  const { bytes: done, total, bytes_per_second: speed, seconds_left: left } = progress;
  return [
    `${bytes(done)} of ${bytes(total)}`,
    ...(speed > 0 ? [`${bytes(speed)}/s`] : []),
    ...(left === null ? [] : [`${formatDuration(Math.max(1, left) * 1000)} left`]),
  ].join(' \u00b7 ');
}

/**
 * The models to list for an engine. Of two forms of one model, the one for other machines is left out as long as it is
 * neither here nor in use and the first can run.
 */
export function offered(models: readonly LocalModel[], engine: LocalEngine, used: string): readonly LocalModel[] {
  const twins = new Map(models.flatMap((model) => (model.twin_id === null ? [] : ([[model.twin_id, model]] as const))));
  return models.filter((model) => {
    if (model.engine !== engine) return false;
    const first = twins.get(model.id);
    const needed = first === undefined || (first.unfit !== null && model.unfit === null);
    return needed || model.state !== 'absent' || model.id === used;
  });
}
