/**
 * Keeps keys and addresses out of what a model server said: it may echo the headers it got, in an error's text as well as
 * in an answer, and in as many pieces as it likes.
 */
import type { Failure } from '../../errors.ts';
import type { CompletionResponse, Message } from './provider.ts';

/** Shorter ones (`none`, `EMPTY`) are placeholders for servers without keys, and words of the language. */
const SHORTEST_KEY = 6;
const KEY = '[key]';
const ADDRESS = '[address]';

export class Mask {
  /** Longest first: one form may begin with another. */
  readonly #keys: readonly string[];
  readonly #addresses: readonly string[];

  /** @param addresses hidden in failures alone; an answer may name whatever it likes */
  constructor(keys: readonly string[], addresses: readonly string[] = []) {
    this.#keys = longestFirst(keys.filter((key) => key.length >= SHORTEST_KEY).flatMap(forms));
    this.#addresses = longestFirst(addresses.filter((address) => address !== ''));
  }

  text(text: string): string {
    return this.#keys.reduce((rest, key) => rest.replaceAll(key, KEY), text);
  }

  failure(failure: Failure): Failure {
    const hide = (text: string): string =>
      this.#addresses.reduce((rest, address) => rest.replaceAll(address, ADDRESS), this.text(text));
    const { subject, ...rest } = failure;
    const hidden = { ...rest, message: hide(failure.message), remedy: hide(failure.remedy) };
    return subject === undefined ? hidden : { ...hidden, subject: hide(subject) };
  }

  response(response: CompletionResponse): CompletionResponse {
    const { first_token_logprobs, ...rest } = response;
    const masked = { ...rest, message: this.#message(response.message) };
    if (first_token_logprobs === undefined) return masked;
    const named = Object.entries(first_token_logprobs).map(([token, value]) => [this.text(token), value] as const);
    return { ...masked, first_token_logprobs: Object.fromEntries(named) };
  }

  /** For text that comes in pieces: what may be the beginning of a key is held back until the rest is known. */
  stream(): { push(delta: string): string; end(): string } {
    let held = '';
    return {
      push: (delta) => {
        held = this.text(held + delta);
        const safe = held.length - this.#begun(held);
        const given = held.slice(0, safe);
        held = held.slice(safe);
        return given;
      },
      end: () => {
        const rest = held;
        held = '';
        return rest;
      },
    };
  }

  #message(message: Message): Message {
    const masked = { ...message, content: this.text(message.content) };
    if (message.tool_calls === undefined) return masked;
    const tool_calls = message.tool_calls.map((call) => ({
      id: this.text(call.id),
      name: this.text(call.name),
      arguments: this.#value(call.arguments),
    }));
    return { ...masked, tool_calls };
  }

  #value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.text(name), this.#value(item)]));
  }

  /** Length of the longest end of `text` with which a key begins. */
  #begun(text: string): number {
    for (let length = Math.min(text.length, (this.#keys[0]?.length ?? 0) - 1); length > 0; length -= 1) {
      const end = text.slice(-length);
      if (this.#keys.some((key) => key.startsWith(end))) return length;
    }
    return 0;
  }
}

/** A key as it may come back: as it is, in a URL, in JSON, as Basic or other base64. */
function forms(key: string): string[] {
  return [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), base64(key)];
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Of its UTF-8; no platform is needed for it. */
function base64(text: string): string {
  const bytes = [...encodeURIComponent(text).matchAll(/%(..)|(.)/g)].map(([, hex, plain = '']) =>
    hex === undefined ? plain.charCodeAt(0) : parseInt(hex, 16),
  );
  let coded = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two = 0, three = 0] = bytes.slice(at, at + 3);
    const bits = (one << 16) | (two << 8) | three;
    for (const shift of [18, 12, 6, 0]) coded += DIGITS[(bits >> shift) & 63] ?? '';
  }
  const missing = (3 - (bytes.length % 3)) % 3;
  return coded.slice(0, coded.length - missing) + '='.repeat(missing);
}

function longestFirst(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort((a, b) => b.length - a.length);
}
