/** What the scenarios need of a browser; `firefox.ts` and `webkit.ts` are the two that have it. */
import type { Page } from '@playwright/test';

/** An element as a person names it: what it is, and its accessible name, whole or by a pattern's source. */
export interface Target {
  kind: 'button' | 'link' | 'radio' | 'file' | 'region' | 'row' | 'dialog' | 'article';
  name: string;
  /** The region that it is in. */
  within?: string;
}

/** Anything that crosses to the page and back. */
export type Plain = string | number | boolean | null | undefined | readonly Plain[] | { readonly [key: string]: Plain };

/** One open page. Every call resolves when the browser has done it, and throws in the browser's own words. */
export interface Tab {
  /** Goes to the address with a full load; resolves when it is loaded. */
  open(address: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  forward(): Promise<void>;
  /** Runs the function in the page, where nothing of its surroundings is there; what it answers is waited for. */
  run<Args extends Plain[], Answer extends Plain>(
    page: (...args: Args) => Answer | Promise<Answer>,
    ...args: Args
  ): Promise<Answer>;
  has(target: Target): Promise<boolean>;
  /** Scrolls the element into sight and presses the mouse button on it. Throws where it is not there. */
  click(target: Target): Promise<void>;
  /** Chooses these files of the disk in a file input. */
  choose(target: Target, paths: readonly string[]): Promise<void>;
  pressEscape(): Promise<void>;
  /** A PNG of what is seen. */
  picture(): Promise<Buffer>;
  close(): Promise<void>;
}

export interface DrivenBrowser {
  /** As it calls itself, with its version. */
  readonly name: string;
  /** The one that it was started with. */
  readonly first: Tab;
  /** Another tab, wide as a desktop or narrow as a telephone (390 px). */
  openTab(width?: 'wide' | 'narrow'): Promise<Tab>;
  /** Errors that the browser itself has reported. */
  readonly errors: string[];
  close(): Promise<void>;
}

/** The tab for helpers that run functions in a page of Playwright's, or a text that is an expression; values cross as JSON. */
export function pageOf(tab: Tab): Pick<Page, 'evaluate'> {
  const evaluate = (page: string | ((given: Plain) => Plain), given: Plain): Promise<Plain> =>
    tab.run(typeof page === 'string' ? asFunction(page) : page, given);
  return { evaluate } as unknown as Pick<Page, 'evaluate'>;
}

/** A browser gets the text of a function alone. */
const asFunction = (expression: string): ((given: Plain) => Plain) =>
  Object.assign(() => null, { toString: () => `async () => ${expression}` });
