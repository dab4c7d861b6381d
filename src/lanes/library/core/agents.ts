/**
 * The agents of the library, in one list: what each reads. The code that reads is loaded when the first file comes, so
 * that who only takes files in has none of it.
 */
import type { IngestAgent } from '#core/ingest/agent.ts';
import { htmlIngester } from './html/html-ingester.ts';
import { lispIngesters } from './lisp/lisp-ingesters.ts';
import { markdownIngester } from './markdown/markdown-ingester.ts';
import { LLM_CODE_INGESTER, modelIngester, type ModelAsker } from './model/model-ingester.ts';
import type { PdfReader } from './pdf/pdf.ts';
import { pdfIngester } from './pdf/pdf-ingester.ts';
import { syntaxIngesters } from './syntax/syntax-ingesters.ts';
import type { SyntaxParser } from './syntax/syntax.ts';
import { textIngester } from './text/text-ingester.ts';

/** What agents need of the platform. What is absent is said by the agent that would need it. */
export interface AgentTools {
  syntax?: SyntaxParser | undefined;
  ask?: ModelAsker | undefined;
  pdf?: PdfReader | undefined;
}

/** Every agent of the library, over these tools. */
export function libraryAgents({ syntax, ask, pdf }: AgentTools = {}): readonly IngestAgent[] {
  return [
    ...syntaxIngesters(syntax ?? null),
    ...lispIngesters,
    markdownIngester,
    htmlIngester,
    pdfIngester(pdf ?? null),
    modelIngester(LLM_CODE_INGESTER, ask ?? null),
    textIngester,
  ];
}
