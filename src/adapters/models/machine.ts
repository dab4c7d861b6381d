/** What this machine can run, as far as a browser says. */
import type { LocalModel, MachineReport } from '../browser/api.ts';

export interface Machine extends MachineReport {
  /** WebAssembly with 64-bit memory and suspension (JSPI): wllama's build needs both. */
  wasm64: boolean;
}

/** The part of WebGPU that is asked; TypeScript's library for workers has none. */
interface Gpu {
  requestAdapter(): Promise<GpuAdapter | null>;
}
interface GpuAdapter {
  features: { has(name: string): boolean };
  limits: { maxBufferSize?: number; maxStorageBufferBindingSize?: number };
  info?: { vendor?: string; architecture?: string; device?: string; description?: string; isFallbackAdapter?: boolean };
  isFallbackAdapter?: boolean;
}

/** Adapters that compute on the processor, by their own words. */
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|softpipe|basic render|warp/i;

export async function readMachine(navigator: Navigator, isolated: boolean): Promise<Machine> {
  const gpu = gpuOf(navigator);
  const adapter = await gpu?.requestAdapter().catch(() => null);
  const info = adapter?.info ?? {};
  const words = [info.vendor, info.architecture, info.device, info.description].filter(
    (word) => word !== undefined && word !== '',
  );
  const said = words.length === 0 ? null : words.join(' ');
  const estimate = await navigator.storage.estimate().catch(() => null);
  const gigabytes = 'deviceMemory' in navigator ? navigator.deviceMemory : null;
  return {
    webgpu: gpu === null ? 'absent' : adapter ? 'ok' : 'no_adapter',
    adapter: adapter ? (said ?? 'a graphics adapter without a name') : null,
    software: adapter?.isFallbackAdapter === true || info.isFallbackAdapter === true || SOFTWARE.test(said ?? ''),
    shader_f16: adapter?.features.has('shader-f16') ?? false,
    max_buffer: adapter?.limits.maxStorageBufferBindingSize ?? adapter?.limits.maxBufferSize ?? null,
    threads: isolated ? navigator.hardwareConcurrency || 1 : 1,
    isolated,
    memory: typeof gigabytes === 'number' ? gigabytes * 1024 ** 3 : null,
    free_storage:
      estimate?.quota === undefined || estimate.usage === undefined
        ? null
        : Math.max(0, estimate.quota - estimate.usage),
    wasm64: hasWasm64(),
  };
}

/** Bytes of the largest buffer that WebLLM's libraries bind. */
const LARGEST_BUFFER = 128 * 1024 ** 2;
/** A browser says 8 GiB for anything from there on. */
const MOST_SAID = 8 * 1024 ** 3;

/** One sentence with the remedy, or null when nothing speaks against it. */
export function unfitFor(model: LocalModel, machine: Machine): string | null {
  return model.engine === 'webllm' ? unfitForGpu(model, machine) : unfitForProcessor(model, machine);
}

function unfitForGpu(model: LocalModel, machine: Machine): string | null {
  const processor = 'choose a model that runs on the processor';
  if (machine.webgpu === 'absent') return `This browser has no WebGPU: ${processor}, or use a current Chrome or Edge.`;
  if (machine.webgpu === 'no_adapter') return `The browser gives this page no graphics card: ${processor}.`;
  if (machine.software) return `WebGPU is only imitated in software here, which is far too slow: ${processor}.`;
  if (model.needs_f16 && !machine.shader_f16) {
    return 'This graphics card has no 16-bit arithmetic (shader-f16): choose the 32-bit form of this model.';
  }
  if (machine.max_buffer !== null && machine.max_buffer < LARGEST_BUFFER) {
    return `This graphics card allows too small buffers: ${processor}.`;
  }
  return null;
}

function unfitForProcessor(model: LocalModel, machine: Machine): string | null {
  if (!machine.wasm64) {
    return 'This browser lacks 64-bit WebAssembly or its suspension (JSPI): use a current Chrome or Edge.';
  }
  if (machine.memory !== null && machine.memory < MOST_SAID && model.memory_bytes > machine.memory * 0.75) {
    return 'This device has too little memory for it: choose a smaller model.';
  }
  return null;
}

function gpuOf(navigator: Navigator): Gpu | null {
  const gpu: unknown = Reflect.get(navigator, 'gpu');
  return isGpu(gpu) ? gpu : null;
}

function isGpu(value: unknown): value is Gpu {
  return typeof value === 'object' && value !== null && 'requestAdapter' in value;
}

function hasWasm64(): boolean {
  try {
    // In TypeScript's library neither stands yet.
    Reflect.construct(WebAssembly.Memory, [{ address: 'i64', initial: 1n }]);
    return 'Suspending' in WebAssembly;
  } catch {
    return false;
  }
}
