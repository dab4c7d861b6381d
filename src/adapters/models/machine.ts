/** What this machine can run, as far as a browser says. */
import type { MachineReport } from './model-api.ts';

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
  const estimate = await navigator.storage?.estimate?.().catch(() => null);
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

function gpuOf(navigator: Navigator): Gpu | null {
  const gpu: unknown = Reflect.get(navigator, 'gpu');
  return isGpu(gpu) ? gpu : null;
}

function isGpu(value: unknown): value is Gpu {
  return typeof value === 'object' && value !== null && 'requestAdapter' in value;
}

function hasWasm64(): boolean {
  try {
    // TypeScript's library has neither yet.
    Reflect.construct(WebAssembly.Memory, [{ address: 'i64', initial: 1n }]);
    return 'Suspending' in WebAssembly;
  } catch {
    return false;
  }
}
