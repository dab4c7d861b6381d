import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setSingleKeys, singleKeys } from '#ui/parts/keys.ts';

/** An element of a page, as far as its selectors and its surroundings go. */
class Element {
  readonly isContentEditable: boolean;
  readonly #tag: string;
  readonly #around: readonly string[];
  constructor(tag: string, around: readonly string[] = [], isContentEditable = false) {
    this.#tag = tag;
    this.#around = around;
    this.isContentEditable = isContentEditable;
  }
  matches(selector: string): boolean {
    return selector.split(/, (?!\[)/).some((one) => one.split(':')[0] === this.#tag);
  }
  closest(selector: string): object | null {
    const wanted = selector.split(', ');
    return [this.#tag, ...this.#around].some((tag) => wanted.includes(tag)) ? {} : null;
  }
}

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('HTMLElement', Element);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

/** Whether the page did something at this key. */
function press(key: string, target: Element | null = null, event: object = {}): boolean {
  let done = false;
  const listener = singleKeys({ j: () => (done = true), Enter: () => (done = true), ' ': () => (done = true) });
  listener({ key, target, preventDefault: () => undefined, ...event } as unknown as KeyboardEvent);
  return done;
}

test('UI-13 a key of one character works on the page, in either case, and in no field or dialog', () => {
  expect([press('j'), press('J'), press('k')]).toEqual([true, true, false]);
  for (const field of ['input', 'textarea', 'select']) expect(press('j', new Element(field)), field).toBe(false);
  expect(press('j', new Element('div', [], true))).toBe(false);
  expect(press('j', new Element('div', ['dialog']))).toBe(false);
  expect(press('j', new Element('div'))).toBe(true);
  for (const held of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { isComposing: true }])
    expect(press('j', null, held)).toBe(false);
});

test('UI-13 Enter and Space are left to the control that has the focus', () => {
  for (const key of ['Enter', ' ']) {
    for (const control of ['a', 'button', 'summary']) expect(press(key, new Element(control))).toBe(false);
    expect(press(key, new Element('section'))).toBe(true);
  }
  expect(press('j', new Element('button'))).toBe(true);
});

test('UI-13 they can be switched off', () => {
  setSingleKeys(false);
  expect(press('j')).toBe(false);
  setSingleKeys(true);
  expect(press('j')).toBe(true);
});
