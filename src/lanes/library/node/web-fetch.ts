/**
 * Text of a page of the web, for tools of a run. Nothing else of the program asks for an address that a document, a model or
 * a page of the web has named.
 *
 *   address -> https, plain port, no password -> each list lets the host through -> all that its name resolves to is public
 *   -> the connection goes to the very address that was checked -> a redirect begins anew -> type -> bytes, time
 *
 *   ASK-78 private, loopback and link-local addresses are asked in no form: not as a number, behind a name, a redirect, or a
 *          name that changes between check and use
 */
import { lookup } from 'node:dns/promises';
import { request, type IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { connect } from 'node:tls';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AccessionError, failed, toFailure } from '#core/errors.ts';
import { fail, type Result } from '#core/result.ts';
import type { WebPort, WebText } from '#lanes/library/core/ask/tools/context.ts';
import { allowedBy } from '#lanes/library/core/ask/tools/web/domains.ts';
import type { SearchEngine } from '#lanes/library/core/ask/tools/web/engines.ts';
import { isPublicAddress } from '#adapters/node/public-address.ts';

export interface Wire {
  /** All addresses of a name. */
  resolve(host: string): Promise<{ address: string }[]>;
  /** A connection to this address, as that host. */
  connect(address: string, host: string): Duplex;
}

const WIRE: Wire = {
  resolve: (host) => lookup(host, { all: true }),
  connect: (address, host) => connect({ host: address, port: 443, servername: host }),
};

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
    async fetch(address, lists, signal): Promise<Result<WebText>> {
      const stop = new AbortController();
      const end = (): void => stop.abort(failed('cancelled', 'cancelled'));
      const timer = setTimeout(
        () => stop.abort(failed('offline', `${hostIn(address)} took longer than ${timeMs / 1000} s.`)),
        timeMs,
      );
      signal?.addEventListener('abort', end);
      if (signal?.aborted) end();
      try {
        return { ok: true, value: await followed(address, [...lists, allow], wire, stop.signal) };
      } catch (thrown) {
        const reason: unknown = stop.signal.aborted ? stop.signal.reason : thrown;
        if (reason instanceof AccessionError) return fail(reason.failure);
        // What Node says of a connection names the address that was asked: it says more of a network than is told on.
        return fail({ ...toFailure(reason), ...failed('offline', `${hostIn(address)} gave no answer.`).failure });
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
      }
    },
  };
}

type Lists = readonly (readonly string[] | null)[];

async function followed(address: string, lists: Lists, wire: Wire, signal: AbortSignal): Promise<WebText> {
  let url = checkedUrl(address, lists);
  for (let hops = 0; ; hops++) {
    const answer = await asked(url, await publicAddress(url.hostname, wire, signal), wire, signal);
    const { statusCode: status = 0, headers } = answer;
    if (![301, 302, 303, 307, 308].includes(status)) return await textOf(answer, url);
    answer.destroy();
    if (hops === MOST_REDIRECTS) throw refused('it leads on too often');
    const to = headers.location ?? '';
    if (!URL.canParse(to, url.href)) throw refused('it leads to what is no address');
    url = checkedUrl(new URL(to, url.href).href, lists);
  }
}

/** Throws AccessionError `tool_refused`. */
function checkedUrl(address: string, lists: Lists): URL {
  if (address.length > 4000 || !URL.canParse(address)) throw refused('it is no address');
  const url = new URL(address);
  if (url.protocol !== 'https:') throw refused('only https is asked');
  if (url.username !== '' || url.password !== '') throw refused('it has a name or a password in it');
  if (url.port !== '') throw refused('it names a port');
  if (!allowedBy(url.hostname, lists)) throw refused(`${url.hostname} is not among the domains that may be reached`);
  return url;
}

/** Every address of the name must be public: where one is not, somebody plays with it. */
async function publicAddress(host: string, { resolve }: Wire, signal: AbortSignal): Promise<string> {
  const found = await resolve(host).catch(() => []);
  signal.throwIfAborted();
  const [first] = found;
  if (first === undefined) throw failed('offline', `${host} has no address.`);
  if (!found.every(({ address }) => isPublicAddress(address)))
    throw refused(`${host} is no host of the public internet`);
  return first.address;
}

function asked(url: URL, address: string, wire: Wire, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({
      method: 'GET',
      host: url.hostname,
      path: `${url.pathname}${url.search}`,
      signal,
      maxHeaderSize: 32 * 1024,
      headers: {
        Host: url.host,
        Accept: 'text/html, text/plain, application/json',
        'User-Agent': 'Accession (a library reader)',
      },
      // Used where no agent is named.
      createConnection: () => wire.connect(address, url.hostname),
    });
    sent.on('response', resolve);
    sent.on('error', reject);
    sent.end();
  });
}

async function textOf(answer: IncomingMessage, url: URL): Promise<WebText> {
  const { statusCode: status = 0, headers } = answer;
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  try {
    if (status !== 200) throw failed('not_found', `${url.hostname} answered ${status}.`);
    if (!TYPES.test(type)) throw refused(`what is there is no text (${type === '' ? 'no type' : type.slice(0, 60)})`);
    const bytes = await bytesOf(unpacked(answer, headers['content-encoding'] ?? ''));
    const charset =
      parameters
        .find((one) => one.startsWith('charset='))
        ?.slice(8)
        .replaceAll('"', '') ?? 'utf-8';
    return { url: url.href, type, text: decoded(bytes, charset) };
  } finally {
    answer.destroy();
  }
}

function unpacked(answer: IncomingMessage, encoding: string): Readable {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return answer;
    case 'gzip':
      return piped(answer, createGunzip());
    case 'br':
      return piped(answer, createBrotliDecompress());
    case 'deflate':
      return piped(answer, createInflate());
    default:
      throw refused('it is packed in a way that is not known');
  }
}

function piped(answer: IncomingMessage, through: Duplex): Readable {
  answer.on('error', (error) => through.destroy(error));
  return answer.pipe(through);
}

/** Counted as they are unpacked. */
async function bytesOf(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  let count = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    count += part.length;
    if (count > MOST_BYTES) {
      stream.destroy();
      throw failed('too_large', `It is larger than ${MOST_BYTES / 1_000_000} MB.`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function decoded(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

const refused = (why: string): Error => failed('tool_refused', `The address is not asked: ${why}.`);

const hostIn = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : 'It');
