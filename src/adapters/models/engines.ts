/** The engines that run models in this browser: what each needs of the machine, and what the settings say of that. */
import type { LocalEngine } from '#core/agent/llm/providers.ts';
import type { Machine } from './machine.ts';
import type { LocalModel, MachineReport } from './model-api.ts';

/** What the settings say about the machine; what is missing comes with its remedy. */
interface MachineWords {
  tone: 'info' | 'attention' | 'bad';
  words: string;
}

interface EngineFacts {
  /** Tokens that its models are built for at most; null: each model has its own limit. */
  mostContext: number | null;
  /** It reads GGUF files, those of the person included. */
  readsGguf: boolean;
  /** Where this machine cannot run its models: the one to choose then. */
  instead: LocalEngine | null;
  machineWords(machine: MachineReport): MachineWords;
  /** Why this machine cannot run the model: one sentence with the remedy; null where nothing speaks against it. */
  unfit(model: Pick<LocalModel, 'needs_f16' | 'memory_bytes'>, machine: Machine): string | null;
}

/** Bytes of the largest buffer that WebLLM's libraries bind. */
const LARGEST_BUFFER = 128 * 1024 ** 2;
/** A browser says 8 GiB for anything from there on. */
const MOST_SAID = 8 * 1024 ** 3;

const memoryWords = ({ memory }: MachineReport): string =>
  memory === null ? '' : `, about ${Math.round(memory / 1024 ** 3)}\u00a0GB of memory`;

/** The engine of GGUF files. */
export const GGUF_ENGINE: LocalEngine = 'wllama';

/** On the graphics card (WebGPU). */
const webllm: EngineFacts = {
  // Its libraries are compiled for it.
  mostContext: 4096,
  readsGguf: false,
  instead: GGUF_ENGINE,
  machineWords(machine) {
    if (machine.webgpu === 'absent')
      return {
        tone: 'bad',
        words:
          'This browser has no WebGPU, so no model can use the graphics card. Choose the processor above, or open this page in a current Chrome, Edge or Safari.',
      };
    if (machine.webgpu === 'no_adapter')
      return {
        tone: 'bad',
        words:
          'This browser has WebGPU but offers no graphics card to it. Switch on hardware acceleration in its settings, or choose the processor above.',
      };
    if (machine.software)
      return {
        tone: 'attention',
        words: `WebGPU is only simulated by the processor here (${machine.adapter ?? 'software'}): it works and is far too slow to be of use. Choose the processor above instead.`,
      };
    const card = machine.adapter === null ? 'A graphics card' : `The graphics card (${machine.adapter})`;
    return machine.shader_f16
      ? { tone: 'info', words: `${card} with WebGPU${memoryWords(machine)}.` }
      : {
          tone: 'attention',
          words: `${card} with WebGPU, without 16-bit numbers: choose the models named "(32-bit)".`,
        };
  },
  unfit(model, machine) {
    const processor = 'choose a model that runs on the processor';
    if (machine.webgpu === 'absent')
      return `This browser has no WebGPU: ${processor}, or use a current Chrome or Edge.`;
    if (machine.webgpu === 'no_adapter') return `The browser gives this page no graphics card: ${processor}.`;
    if (machine.software) return `WebGPU is only imitated in software here, which is far too slow: ${processor}.`;
    if (model.needs_f16 && !machine.shader_f16)
      return 'This graphics card has no 16-bit arithmetic (shader-f16): choose the 32-bit form of this model.';
    return machine.max_buffer !== null && machine.max_buffer < LARGEST_BUFFER
      ? `This graphics card allows too small buffers: ${processor}.`
      : null;
  },
};

/** On the processor (WebAssembly). */
const wllama: EngineFacts = {
  mostContext: null,
  readsGguf: true,
  instead: null,
  machineWords(machine) {
    const threads = machine.isolated ? machine.threads : 1;
    const why = machine.isolated ? '' : ' (one only: this page is not isolated by its server)';
    const words = `The processor: ${threads} ${threads === 1 ? 'thread' : 'threads'}${why}${memoryWords(machine)}.`;
    return { tone: 'info', words };
  },
  unfit(model, machine) {
    if (!machine.wasm64)
      return 'This browser lacks 64-bit WebAssembly or its suspension (JSPI): use a current Chrome or Edge.';
    return machine.memory !== null && machine.memory < MOST_SAID && model.memory_bytes > machine.memory * 0.75
      ? 'This device has too little memory for it: choose a smaller model.'
      : null;
  },
};

export const ENGINES: Readonly<Record<LocalEngine, EngineFacts>> = { webllm, wllama };
