import type { Result } from '#core/result.ts';
import type { CancelSignal } from '#core/cancel.ts';
import type { ToolboxRun } from '#core/toolbox/run.ts';
import type { FilePlace, LibraryIndex } from '../../search/library-index.ts';
import type { SearchEngine } from './web/engines.ts';
import type { Passage } from '../../search/passage.types.ts';

/** What is asked. */
export interface AskSources {
  index: LibraryIndex;
  /** Whether a file may be shown. */
  allows?: (place: FilePlace) => boolean;
  /** Search by vectors, or by both; null: it cannot be had, words alone are searched for. */
  byMeaning?(profile: 'vector' | 'hybrid', query: string, k: number): Promise<Passage[] | null>;
  /** The way to the network; absent: there is none. */
  web?: WebPort;
  /** Where tools of the toolbox compute, and what they answered in this run; absent: not here. */
  toolbox?: ToolboxRun;
}

/** What the tools of a run look at. */
export interface AskToolContext extends AskSources {
  /** Patterns of hosts that the run may reach. */
  domains: readonly string[];
  /** What is asked; absent: it is not known. */
  question?: string;
  sha256(text: string): Promise<string>;
}

export interface WebText {
  /** Where it was found in the end, behind all redirects. */
  url: string;
  /** Without parameters, in lower case: `text/html`. */
  type: string;
  text: string;
}

/** Text at an https address. Who implements it checks the address, each redirect, and what a name resolves to. */
export interface WebPort {
  /** Patterns of hosts that the configuration lets through; null: it says nothing. */
  allow: readonly string[] | null;
  /** Absent: the usual one. */
  engine?: SearchEngine;
  /** @param lists patterns of hosts: each list must let the host through, and that of every redirect */
  fetch(url: string, lists: readonly (readonly string[])[], signal: CancelSignal | undefined): Promise<Result<WebText>>;
}
