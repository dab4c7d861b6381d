/** Reads entries of a 7z or RAR one after the other; who asks for one that lies behind begins anew. */
import { failed } from '#core/errors.ts';
import type { Cancel } from '#core/ports.ts';
import { PackedInstance, PackedStopped, type PackedEntry, type PackedFormat } from './instance.ts';
import type { BytesAtOnce } from './packed-parts.types.ts';

/** Bytes that are expanded before others get a turn: WebAssembly holds the thread. */
const TURN_BYTES = 4 * 1024 ** 2;

type Place = Pick<PackedEntry, 'group' | 'size'>;

export class PackedPass {
  readonly #bytes: BytesAtOnce;
  readonly #format: PackedFormat;
  readonly #places: readonly Place[];
  /** Groups that broke off, at which entry and why: what is packed behind it cannot be reached. */
  readonly #broken = new Map<number, { at: number; why: string }>();
  #instance: PackedInstance | null = null;
  /** Of the entry at hand; -1 before the first. */
  #at = -1;
  #wasRead = false;

  /** `places`: every entry of the archive in its order, folders too. */
  constructor(bytes: BytesAtOnce, format: PackedFormat, places: readonly Place[]) {
    this.#bytes = bytes;
    this.#format = format;
    this.#places = places;
  }

  /** The content of the entry at this place. Throws `PackedStopped`, AccessionError `cancelled`, and as `PackedInstance`. */
  async *read(index: number, cancel?: Cancel): AsyncGenerator<Uint8Array> {
    const group = this.#group(index);
    const broken = this.#broken.get(group);
    if (broken !== undefined && broken.at < index) throw new PackedStopped(`packed together: ${broken.why}`, 'entry');
    try {
      const instance = await this.#goTo(index, cancel);
      this.#wasRead = true;
      yield* this.#pieces(instance, cancel);
    } catch (error) {
      if (error instanceof PackedStopped && error.scope === 'archive') {
        this.#instance = null;
        if (group >= 0) this.#broken.set(group, { at: this.#at, why: error.message });
      }
      throw error;
    }
  }

  async #goTo(index: number, cancel?: Cancel): Promise<PackedInstance> {
    const instance = this.#instance !== null && this.#leadsTo(index) ? this.#instance : await this.#begin();
    while (this.#at < index) {
      // Expanded piece by piece, so that others get a turn and a cancel is heard; libarchive would do it in one go.
      if (this.#at >= 0 && this.#sharesGroup(this.#at, index)) await this.#pass(instance, cancel);
      if (instance.next() === null) throw new PackedStopped('its list ends before this file', 'archive');
      this.#at += 1;
    }
    return instance;
  }

  /** What is left of the entry at hand, for nobody; its checksum is its own matter. */
  async #pass(instance: PackedInstance, cancel?: Cancel): Promise<void> {
    this.#wasRead = true;
    try {
      for await (const piece of this.#pieces(instance, cancel)) void piece;
    } catch (error) {
      if (!(error instanceof PackedStopped) || error.scope === 'archive') throw error;
    }
  }

  async #begin(): Promise<PackedInstance> {
    this.#at = -1;
    this.#wasRead = false;
    this.#instance = await PackedInstance.open(this.#bytes, this.#format, false);
    return this.#instance;
  }

  /** Whether the pass at hand reaches it without expanding what is not packed with it. */
  #leadsTo(index: number): boolean {
    if (this.#at >= index) return false;
    // libarchive's reader of 7z passes over what comes before the first entry read, and expands all that comes behind.
    if (this.#format !== '7z' || !this.#wasRead) return true;
    const between = this.#places.slice(this.#at + 1, index);
    return between.every(({ size }, i) => size === 0 || this.#sharesGroup(this.#at + 1 + i, index));
  }

  #sharesGroup(one: number, other: number): boolean {
    return this.#group(one) >= 0 && this.#group(one) === this.#group(other);
  }

  #group(index: number): number {
    return this.#places[index]?.group ?? -1;
  }

  /** What is left of the entry at hand. */
  async *#pieces(instance: PackedInstance, cancel?: Cancel): AsyncGenerator<Uint8Array> {
    let since = 0;
    for (let piece = instance.read(); piece !== null; piece = instance.read()) {
      if (cancel?.aborted) throw failed('cancelled', 'cancelled');
      since += piece.length;
      if (piece.length > 0) yield piece;
      if (since < TURN_BYTES) continue;
      since = 0;
      await new Promise<void>((resolve) => setTimeout(resolve));
    }
  }
}
