/** `http_json`: one GET of an address of the tool's own, its JSON as the result. */
import type { CancelSignal } from '#core/cancel.ts';
import { AccessionError, failed } from '#core/errors.ts';
import type { RagDoc } from '../../evidence/evidence.types.ts';
import type { AskToolContext } from '../context.ts';
import { docOfText } from '../doc-of-text.ts';
import { pointedAt } from '../yaml/templates.ts';

export interface HttpJson {
  url: string;
  /** The tool's own patterns; null: whatever the run lets through. */
  allow: readonly string[] | null;
  items?: string;
  text?: string;
  title?: string;
  link?: string;
}

/** Items of one answer that become evidence. */
const MOST_ITEMS = 50;

/** Throws AccessionError: refused, offline, no JSON. */
export async function httpJson(
  { url, allow, items, text = '', title, link }: HttpJson,
  context: AskToolContext,
  signal: CancelSignal | undefined,
): Promise<{ value: unknown; url: string; docs: RagDoc[] }> {
  const { web, domains } = context;
  if (web === undefined) throw failed('offline', 'There is no way to the network from here.');
  const answer = await web.fetch(url, [domains, ...(allow === null ? [] : [allow])], signal);
  if (!answer.ok) throw new AccessionError(answer.failure);
  let value: unknown;
  try {
    value = JSON.parse(answer.value.text);
  } catch (cause) {
    throw failed('invalid', 'What came from there is no JSON.', { cause });
  }
  const list = items === undefined ? [] : pointedAt(value, items);
  const docs: RagDoc[] = [];
  for (const item of Array.isArray(list) ? (list as unknown[]).slice(0, MOST_ITEMS) : []) {
    const said = pointedAt(item, text);
    if (typeof said !== 'string' || said.trim() === '') continue;
    docs.push(
      await docOfText(context, {
        text: said,
        title: textAt(item, title) ?? answer.value.url,
        url: textAt(item, link) ?? answer.value.url,
        language: 'text',
        prose: true,
      }),
    );
  }
  return { value, url: answer.value.url, docs };
}

function textAt(item: unknown, pointer: string | undefined): string | null {
  const value = pointer === undefined ? undefined : pointedAt(item, pointer);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
