/** What the settings say about models. */
import type { DownloadProgress, LocalModel, MachineReport } from '#adapters/models/model-api.ts';
import type { Nearness } from '#adapters/llm/providers/provider.ts';
import { providerOf } from '#adapters/llm/providers/providers.ts';
import { ENGINES } from '#adapters/models/engines.ts';
import type { HealthStageName } from '#core/agent/llm/provider.ts';
import type { LocalEngine, ProviderId } from '#core/agent/llm/providers.ts';
import { formatDuration } from '#core/text/duration.ts';
import { bytes, elapsed } from '../../parts/words.ts';

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
};

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
