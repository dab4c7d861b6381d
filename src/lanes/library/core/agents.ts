/** The agents of the library, in one list: what each reads, and the code that reads it. */
import type { IngestAgent } from '#core/ingest/agent.ts';
import { lispIngesters } from './lisp/lisp-ingester.ts';
import { markdownIngester } from './markdown/markdown-ingester.ts';
import { syntaxIngesters } from './syntax/syntax-ingesters.ts';
import type { SyntaxParser } from './syntax/syntax.ts';
import { textIngester } from './text/text-ingester.ts';

/** What agents need of the platform. What is absent is said by the agent that would need it. */
export interface AgentTools {
  syntax?: SyntaxParser;
}

/** Every agent of the library, over these tools. */
export function libraryAgents(tools: AgentTools = {}): readonly IngestAgent[] {
  return [...syntaxIngesters(tools.syntax ?? null), ...lispIngesters, markdownIngester, textIngester];
}
