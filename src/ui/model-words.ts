/** What the settings say about models. */
import type { LocalModel, MachineReport } from '#adapters/browser/api.ts';
import type { HealthStageName } from '#core/agent/llm/provider.ts';
import type { Settings } from '#core/config.ts';
import { bytes, elapsed } from './words.ts';

export type Provider = Settings['llm_provider'];

export const PROVIDERS: readonly { value: Provider; label: string; about: string }[] = [
  { value: 'none', label: 'None', about: 'Rules alone decide. What they are not sure of comes to you.' },
  {
    value: 'webllm',
    label: 'This browser, on the graphics card',
    about: 'WebLLM. The quickest of the local ones; needs WebGPU and a download of 0.3 to 5 GB.',
  },
  {
    value: 'wllama',
    label: 'This browser, on the processor',
    about: 'wllama. Runs everywhere, slowly; for small models, or a GGUF file of your own.',
  },
  { value: 'ollama', label: 'Ollama', about: 'On this computer or in your network.' },
  {
    value: 'openai',
    label: 'OpenAI-compatible server',
    about: 'Hosted services, and llama.cpp, LM Studio, vLLM and their like.',
  },
  { value: 'broker', label: 'The catalog server', about: 'The model that its operator has set up; keys stay there.' },
];

export const isLocal = (provider: Provider): provider is 'webllm' | 'wllama' =>
  provider === 'webllm' || provider === 'wllama';
export const hasAddress = (provider: Provider): provider is 'ollama' | 'openai' =>
  provider === 'ollama' || provider === 'openai';

/** Where the usual server of a provider listens: what an empty address means. */
export const USUAL_ADDRESS = { ollama: 'http://localhost:11434', openai: 'https://api.openai.com/v1' } as const;

const SENT = 'File names, tags, track lengths and the catalog entries in question';

/** One sentence: what leaves this computer. `address` is null where it is not known, or none. */
export function whatLeaves(
  provider: Provider,
  address: string | null,
  place: 'loopback' | 'local' | 'public' | null,
): string {
  if (provider === 'none') return 'Nothing is sent to any model.';
  if (isLocal(provider)) return 'Nothing of yours leaves this computer; the model itself is downloaded once.';
  const to = address === null ? 'that address' : new URL(address).origin;
  if (provider === 'broker') {
    return `${SENT} go to ${to}, which passes them on to the model that its operator chose. Audio is not sent.`;
  }
  if (place === 'loopback') return `${SENT} go to ${to}, which is this computer. Audio is not sent.`;
  return place === 'local'
    ? `${SENT} go to ${to}, in your network. Audio is not sent.`
    : `${SENT} go to ${to}, whose operator can read them. Audio is not sent.`;
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
export function machineWords(
  machine: MachineReport,
  engine: LocalModel['engine'],
): { tone: 'info' | 'attention' | 'bad'; words: string } {
  const memory = machine.memory === null ? '' : `, about ${Math.round(machine.memory / 1024 ** 3)}\u00a0GB of memory`;
  if (engine === 'wllama') {
    const threads = machine.isolated ? machine.threads : 1;
    const why = machine.isolated ? '' : ' (one only: this page is not isolated by its server)';
    return { tone: 'info', words: `The processor: ${threads} ${threads === 1 ? 'thread' : 'threads'}${why}${memory}.` };
  }
  if (machine.webgpu === 'absent') {
    return {
      tone: 'bad',
      words:
        'This browser has no WebGPU, so no model can use the graphics card. Choose the processor above, or open this page in a current Chrome, Edge or Safari.',
    };
  }
  if (machine.webgpu === 'no_adapter') {
    return {
      tone: 'bad',
      words:
        'This browser has WebGPU but offers no graphics card to it. Switch on hardware acceleration in its settings, or choose the processor above.',
    };
  }
  if (machine.software) {
    return {
      tone: 'attention',
      words: `WebGPU is only simulated by the processor here (${machine.adapter ?? 'software'}): it works and is far too slow to be of use. Choose the processor above instead.`,
    };
  }
  const card = machine.adapter === null ? 'A graphics card' : `The graphics card (${machine.adapter})`;
  return machine.shader_f16
    ? { tone: 'info', words: `${card} with WebGPU${memory}.` }
    : { tone: 'attention', words: `${card} with WebGPU, without 16-bit numbers: choose the models named "(32-bit)".` };
}

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

/**
 * The models to list for an engine. Of two forms of one model, the one for other machines is left out as long as it is
 * neither here nor in use and the first can run.
 */
export function offered(
  models: readonly LocalModel[],
  engine: LocalModel['engine'],
  used: string,
): readonly LocalModel[] {
  const twins = new Map(models.flatMap((model) => (model.twin_id === null ? [] : ([[model.twin_id, model]] as const))));
  return models.filter((model) => {
    if (model.engine !== engine) return false;
    const first = twins.get(model.id);
    const needed = first === undefined || (first.unfit !== null && model.unfit === null);
    return needed || model.state !== 'absent' || model.id === used;
  });
}
