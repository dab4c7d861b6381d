import { randomIds } from '#core/ids.ts';

/** One key a body: what is sent again after a lost answer is done once. */
export class RequestKeys {
  readonly #keys = new Map<string, string>();

  of(body: object): string {
    const text = JSON.stringify(body);
    const known = this.#keys.get(text) ?? randomIds.next();
    this.#keys.set(text, known);
    return known;
  }
}
