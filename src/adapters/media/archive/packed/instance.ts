/** libarchive in WebAssembly (`packed.c`): each pass over an archive has an instance and so a memory of its own. */
import { loadPackedWasm } from '#packed-parts';
import { AccessionError, failed, messageOf } from '#core/errors.ts';
import type { BytesAtOnce } from './packed-parts.types.ts';

/** As packed.h numbers them. */
const FORMATS = { '7z': 0, rar: 1, rar5: 2 } as const;
export type PackedFormat = keyof typeof FORMATS;

/** Of an archive as a whole, as packed.h has them. */
const SPLIT = 1;

/** What packed.c says of each. Pointers are offsets in `memory`, whose buffer is another one after it grew. */
type Calls = { memory: WebAssembly.Memory; _initialize(): void } & Record<(typeof NAMES)[number], () => number> & {
    packed_open(format: number, size: number, listing: number): number;
  };

const NAMES = [
  'packed_next',
  'packed_facts',
  'packed_encrypted',
  'packed_error',
  'packed_read',
  'packed_piece',
  'packed_length',
  'entry_name',
  'entry_size',
  'entry_type',
  'entry_encrypted',
  'entry_group',
  'entry_crc',
] as const;

export interface PackedEntry {
  /** As its bytes are: UTF-8, or what an old RAR wrote. */
  name: Uint8Array;
  /** Bytes, expanded; null where the archive does not say. */
  size: number | null;
  type: 'file' | 'folder' | 'link' | 'other';
  encrypted: boolean;
  /** Entries of one number are packed together, and those before one are expanded to reach it; -1: by itself. */
  group: number;
  /** CRC-32 to compare with; null where libarchive does it itself, or the archive has none. */
  crc32: number | null;
}

const TYPES = ['file', 'folder', 'link', 'other'] as const;

/** Libarchive gave up, in its own words. `entry`: on the one at hand; the others can still be read. */
export class PackedStopped extends Error {
  override readonly name = 'PackedStopped';
  readonly scope: 'entry' | 'archive';

  constructor(words: string, scope: 'entry' | 'archive') {
    super(words);
    this.scope = scope;
  }
}

/** What WASI's C library asks of a system; there is none here. */
const NO_SYSTEM = 52;
const WASI = ['environ_get', 'environ_sizes_get', 'fd_close', 'fd_seek', 'fd_write'];

let compiled: Promise<WebAssembly.Module> | undefined;

/** One pass from front to back. Every call may throw `PackedStopped`, or what the platform throws at a file. */
export class PackedInstance {
  readonly #calls: Calls;

  private constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** `listing`: names and sizes are wanted and no content. Throws AccessionError `offline` or `archive_unsupported`, too. */
  static async open(bytes: BytesAtOnce, format: PackedFormat, listing: boolean): Promise<PackedInstance> {
    compiled ??= loadPackedWasm().catch((thrown: unknown) => {
      compiled = undefined;
      throw notLoaded(thrown);
    });
    let memory: WebAssembly.Memory | null = null;
    const read = (at: number, into: number, length: number): number => {
      const piece = bytes.read(at, length);
      if (memory !== null) new Uint8Array(memory.buffer).set(piece, into);
      return piece.length;
    };
    const proc_exit = (code: number): never => {
      throw new PackedStopped(`it stopped with ${code}`, 'archive');
    };
    const system = Object.fromEntries(WASI.map((name) => [name, () => NO_SYSTEM]));
    const imports = { archive: { read }, wasi_snapshot_preview1: { ...system, proc_exit } };
    const { exports } = await WebAssembly.instantiate(await compiled, imports);
    if (!isPacked(exports)) throw notUsable(new Error('it is of another version than the app'));
    memory = exports.memory;
    const instance = new PackedInstance(exports);
    instance.#call('_initialize');
    if (instance.#whole(() => exports.packed_open(FORMATS[format], bytes.size, listing ? 1 : 0)) < 0)
      throw instance.#stopped();
    return instance;
  }

  /** Null behind the last one. */
  next(): PackedEntry | null {
    const result = this.#call('packed_next');
    if (result === 1) return null;
    if (result < 0) throw this.#stopped();
    const size = this.#call('entry_size');
    const crc = this.#call('entry_crc');
    return {
      name: this.#text(this.#call('entry_name')),
      size: size < 0 ? null : size,
      type: TYPES[this.#call('entry_type')] ?? 'other',
      encrypted: this.#call('entry_encrypted') !== 0,
      group: this.#call('entry_group'),
      crc32: crc < 0 ? null : crc,
    };
  }

  /** The next piece of the entry at hand, good until the next call; null at its end. */
  read(): Uint8Array | null {
    const result = this.#call('packed_read');
    if (result === 0) return null;
    if (result < 0) throw this.#stopped(result === -1 ? 'entry' : 'archive');
    const at = this.#call('packed_piece');
    return new Uint8Array(this.#calls.memory.buffer, at, this.#call('packed_length'));
  }

  /** Said once an entry was looked for. */
  get isPartOfMany(): boolean {
    return (this.#call('packed_facts') & SPLIT) !== 0;
  }

  get isEncrypted(): boolean {
    return this.#call('packed_encrypted') !== 0;
  }

  #call(name: (typeof NAMES)[number] | '_initialize'): number {
    return this.#whole(() => this.#calls[name]() ?? 0);
  }

  /** A trap is C's way to stumble over bytes that nobody writes. */
  #whole<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw new PackedStopped('it stumbled', 'archive');
      throw error;
    }
  }

  #stopped(scope: PackedStopped['scope'] = 'archive'): PackedStopped {
    return new PackedStopped(new TextDecoder().decode(this.#text(this.#call('packed_error'))), scope);
  }

  /** Bytes up to a zero, copied. */
  #text(at: number): Uint8Array {
    if (at === 0) return new Uint8Array(0);
    const bytes = new Uint8Array(this.#calls.memory.buffer);
    return bytes.slice(at, bytes.indexOf(0, at));
  }
}

function isPacked(exports: WebAssembly.Exports): exports is Calls {
  const functions = [...NAMES, '_initialize', 'packed_open'];
  return exports.memory instanceof WebAssembly.Memory && functions.every((name) => typeof exports[name] === 'function');
}

function notLoaded(thrown: unknown): AccessionError {
  if (thrown instanceof WebAssembly.CompileError) return notUsable(thrown);
  const remedy =
    'Open the app once while its server can be reached, so that it is kept here; then drop the archive again.';
  const words = `What opens 7z and RAR archives (0.2 MB) could not be loaded: ${messageOf(thrown)}.`;
  return failed('offline', words, { remedy, cause: thrown });
}

function notUsable(thrown: Error): AccessionError {
  const words = `What opens 7z and RAR archives does not run in this browser: ${thrown.message}.`;
  return failed('archive_unsupported', words, { cause: thrown });
}
