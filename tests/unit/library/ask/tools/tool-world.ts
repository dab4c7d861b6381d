/** One call of one tool as the executor makes it: its input is read first. */
import * as v from 'valibot';
import type { AskTool } from '#lanes/library/core/ask/tools/ask-tool.ts';
import type { AskToolContext, WebPort } from '#lanes/library/core/ask/tools/context.ts';
import { mayAsk } from '#core/domains.ts';
import { LibraryIndex } from '#lanes/library/core/search/library-index.ts';
import { failure } from '#core/errors.ts';
import { fail } from '#core/result.ts';
import { sha256 } from '../run-world.ts';

/** The output where it went well, else what was wrong. */
export async function called(
  { tool }: AskTool,
  input: unknown,
  context: Partial<AskToolContext> = {},
): Promise<unknown> {
  const read = v.safeParse(tool.input, input);
  if (!read.success) return { refused: read.issues[0].message };
  const outcome = await tool.execute(read.output, {
    context: { index: new LibraryIndex([]), domains: [], sha256, ...context },
    signal: undefined,
    idempotencyKey: '',
    fetch: () => Promise.resolve(fail(failure('offline', 'no'))),
  });
  if (!outcome.ok) return { failed: outcome.failure.message };
  const output = v.safeParse(tool.output, outcome.output);
  return output.success ? output.output : { broken: output.issues[0].message };
}

/** A network of these texts; what was asked for, in order. */
export function webOf(
  pages: Record<string, { type?: string; text: string }>,
  allow: string[] | null = null,
): WebPort & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    allow,
    fetch(url, lists) {
      asked.push(url);
      const page = pages[url.replace(/[?].*$/, (query) => (pages[url] ? query : ''))];
      if (!mayAsk(url, [...lists, allow])) return Promise.resolve(fail(failure('tool_refused', `${url} is refused`)));
      if (page === undefined) return Promise.resolve(fail(failure('not_found', `${url} is not there`)));
      return Promise.resolve({ ok: true, value: { url, type: page.type ?? 'text/html', text: page.text } });
    },
  };
}
