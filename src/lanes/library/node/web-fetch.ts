/**
 * Text of a page of the web, for tools of a run: asked as any address of the internet is (public-fetch.ts), by https alone,
 * without a port or a password, where each list lets the host through; then type, bytes and time are bounded.
 *
 *   ASK-78 private, loopback and link-local addresses are asked in no form: not as a number, behind a name, a redirect, or a
 *          name that changes between check and use
 */
import type { IncomingMessage } from 'node:http';
import { bytesWithin, typeOf, unpacked } from '#adapters/node/answer-body.ts';
import { answeredWithin, hostIn } from '#adapters/node/answered-within.ts';
import { askPublic, UnansweredError, WIRE, type Wire } from '#adapters/node/public-fetch.ts';
import { textIn } from '#adapters/http/content.ts';
import { failed } from '#core/errors.ts';
import type { Result } from '#core/result.ts';
import type { WebPort, WebText } from '#lanes/library/core/ask/tools/context.ts';
import { allowedBy } from '#core/domains.ts';
import type { SearchEngine } from '#lanes/library/core/ask/tools/web/engines.ts';

const MOST_BYTES = 1_000_000;
const MOST_REDIRECTS = 4;
/** Milliseconds for one page, its redirects included. */
const MOST_TIME = 15_000;
const TYPES = /^(?:text\/(?:html|plain|markdown)|application\/(?:xhtml\+xml|json|[\w.-]+\+json))$/;

export interface WebFetching {
  /** Patterns of the configuration; null: it says nothing. */
  allow: readonly string[] | null;
  engine?: SearchEngine;
  wire?: Wire;
  timeMs?: number;
}

export function webFetch({ allow, engine, wire = WIRE, timeMs = MOST_TIME }: WebFetching): WebPort {
  return {
    allow,
    ...(engine === undefined ? {} : { engine }),
    fetch(address, lists, signal): Promise<Result<WebText>> {
      const late = failed('offline', `${hostIn(address)} took longer than ${timeMs / 1000} s.`);
      return answeredWithin(address, { timeMs, late, signal }, (stop) =>
        followed(address, [...lists, allow], wire, stop),
      );
    },
  };
}

type Lists = readonly (readonly string[] | null)[];

const HEADERS = { Accept: 'text/html, text/plain, application/json', 'User-Agent': 'Accession (a library reader)' };

async function followed(address: string, lists: Lists, wire: Wire, signal: AbortSignal): Promise<WebText> {
  const first = urlOf(address);
  const check = (url: URL): void => checkUrl(url, lists);
  const asking = { check, headers: HEADERS, mostRedirects: MOST_REDIRECTS, signal, wire };
  try {
    const { answer, url } = await askPublic(first, asking);
    return await textOf(answer, url);
  } catch (error) {
    throw error instanceof UnansweredError ? said(error) : error;
  }
}

function said({ why, url: { hostname } }: UnansweredError): Error {
  switch (why) {
    case 'redirects':
      return refused('it leads on too often');
    case 'bad-redirect':
      return refused('it leads to what is no address');
    case 'not-public':
      return refused(`${hostname} is no host of the public internet`);
    case 'no-address':
      return failed('offline', `${hostname} has no address.`);
    default:
      return failed('offline', `${hostname} gave no answer.`);
  }
}

/** Throws AccessionError `tool_refused`. */
function urlOf(address: string): URL {
  if (address.length > 4000 || !URL.canParse(address)) throw refused('it is no address');
  return new URL(address);
}

/** Throws AccessionError `tool_refused`. */
function checkUrl(url: URL, lists: Lists): void {
  if (url.href.length > 4000) throw refused('it is no address');
  if (url.protocol !== 'https:') throw refused('only https is asked');
  if (url.username !== '' || url.password !== '') throw refused('it has a name or a password in it');
  if (url.port !== '') throw refused('it names a port');
  if (!allowedBy(url.hostname, lists)) throw refused(`${url.hostname} is not among the domains that may be reached`);
}

async function textOf(answer: IncomingMessage, url: URL): Promise<WebText> {
  const { statusCode: status = 0 } = answer;
  const { type, charset } = typeOf(answer);
  try {
    if (status !== 200) throw failed('not_found', `${url.hostname} answered ${status}.`);
    if (!TYPES.test(type)) throw refused(`what is there is no text (${type === '' ? 'no type' : type.slice(0, 60)})`);
    const body = unpacked(answer);
    if (body === null) throw refused('it is packed in a way that is not known');
    const bytes = await bytesWithin(body, MOST_BYTES);
    if (bytes === null) throw failed('too_large', `It is larger than ${MOST_BYTES / 1_000_000} MB.`);
    return { url: url.href, type, text: textIn(bytes, charset) };
  } finally {
    answer.destroy();
  }
}

const refused = (why: string): Error => failed('tool_refused', `The address is not asked: ${why}.`);
