/**
 * A guide from an address that an administrator named.
 *
 *   address -> http or https -> all that its name resolves to is public -> the connection goes to the very address that
 *   was checked -> a redirect (five at most) begins anew -> 304: it is the same -> the guide, 30 s without a byte at most
 */
import { request, type IncomingMessage } from 'node:http';
import { AccessionError } from '#core/errors.ts';
import { importGuide } from '#lanes/guide/bytes/import-guide.ts';
import type { GuideRecord } from '#lanes/guide/core/store/guide-records.ts';
import { FETCH_WIRE, type FetchWire } from '#lanes/guide/node/fetch-wire.ts';
import { HttpError } from '#server/http/http-error.ts';
import { upsert } from '#server/store/rows.ts';
import type { GuideService, ServiceDeps } from '../guide-service.ts';
import { guideBytes } from './body-bytes.ts';

const MOST_REDIRECTS = 5;

export type FetchGuide = (
  guide: string,
  wish: { url: string; name?: string | undefined; zone: string | null },
  signal: AbortSignal,
) => Promise<{ changed: boolean; guide: GuideRecord }>;

export function fetchGuideOver(deps: ServiceDeps, service: GuideService, wire: FetchWire = FETCH_WIRE): FetchGuide {
  const { db } = deps.store;
  return async (guide, { url: text, name, zone }, signal) => {
    const url = checked(text);
    const before = await service.store.guide(guide);
    const row = db.selectFrom('guide_addresses').selectAll().where('guide', '=', guide);
    const known = before === null ? undefined : await row.executeTakeFirst();
    const tag = known?.url === text && before?.zone === zone ? known.etag : null;
    const answer = await followed(url, tag, wire, signal);
    try {
      const { statusCode: status = 0, headers } = answer;
      if (status === 304 && before !== null) return { changed: false, guide: before };
      if (status !== 200) throw away(url, `answered ${status}`);
      // Whoever asks for gzip by itself is given the file as it is; what a server packs on the way is packed all the same.
      const source = guideBytes(awake(answer, url, wire.idleMs));
      const wish = { guide, kind: 'address', name: name ?? bare(url), zone } as const;
      const record = await importGuide(service.store, source, wish, { now: deps.clock.now(), cancel: signal });
      const kept = { guide, url: text, etag: headers.etag ?? null };
      await deps.store.write((tx) => upsert(tx, 'guide_addresses', [kept], { key: ['guide'] }));
      return { changed: true, guide: record };
    } finally {
      answer.destroy();
    }
  };
}

/** Without what signs in. */
const bare = ({ protocol, host, pathname }: URL): string => `${protocol}//${host}${pathname}`.slice(0, 200);

const away = (url: URL, what: string): HttpError =>
  new HttpError('offline', `${url.hostname} ${what}; the guide is what it was.`, {
    status: 502,
    remedy: 'Look whether the address is right, and try again later.',
  });

function checked(text: string, from?: URL): URL {
  if (!URL.canParse(text, from?.href)) throw new HttpError('invalid', 'This is no address.');
  const url = new URL(text, from?.href);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new HttpError('invalid', 'An address begins with http:// or https://.');
  return url;
}

async function followed(
  first: URL,
  tag: string | null,
  wire: FetchWire,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  let url = first;
  let signIn = authorizationOf(url);
  for (let hops = 0; ; hops += 1) {
    const headers = {
      ...{ Host: url.host, Accept: 'application/xml, text/xml, application/gzip, */*', 'User-Agent': 'Accession' },
      ...(signIn === null ? {} : { Authorization: signIn }),
      ...(tag === null ? {} : { 'If-None-Match': tag }),
    };
    const answer = await asked(url, await publicAddress(url, wire), headers, wire, signal);
    if (![301, 302, 303, 307, 308].includes(answer.statusCode ?? 0)) return answer;
    answer.destroy();
    if (hops === MOST_REDIRECTS) throw away(url, 'leads on too often');
    const next = checked(answer.headers.location ?? '', url);
    if (next.host !== url.host) signIn = authorizationOf(next);
    url = next;
  }
}

function authorizationOf({ username, password }: URL): string | null {
  if (username === '' && password === '') return null;
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

/** Every address of the name must be public: where one is not, somebody plays with it. */
async function publicAddress(url: URL, { resolve, isPublic }: FetchWire): Promise<string> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const found = await resolve(host).catch(() => []);
  const [first] = found;
  if (first === undefined) throw away(url, 'has no address');
  if (!found.every(({ address }) => isPublic(address)))
    throw new HttpError('forbidden', `${host} is no host of the public internet: this server does not ask it.`, {
      remedy: 'Send the guide itself: PUT /v1/guide/guides/{id}.',
    });
  return first.address;
}

function asked(
  url: URL,
  address: string,
  headers: Record<string, string>,
  wire: FetchWire,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const path = `${url.pathname}${url.search}`;
    // Used where no agent is named.
    const createConnection = () => wire.connect(address, url);
    const sent = request({ method: 'GET', host: url.hostname, path, headers, signal, createConnection });
    const timer = setTimeout(
      () => sent.destroy(away(url, `gave no answer within ${wire.idleMs / 1000} s`)),
      wire.idleMs,
    );
    sent.on('response', (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
    sent.on('error', (error) => {
      clearTimeout(timer);
      // What Node says of a connection names the address that was asked.
      reject(error instanceof AccessionError ? error : away(url, 'gave no answer'));
    });
    sent.end();
  });
}

/** The bytes of an answer; one that falls silent, or breaks off, is a failure. */
async function* awake(answer: IncomingMessage, url: URL, idleMs: number): AsyncGenerator<Uint8Array> {
  let timer: NodeJS.Timeout | undefined;
  const wake = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => answer.destroy(away(url, `was silent for ${idleMs / 1000} s`)), idleMs);
  };
  wake();
  try {
    for await (const piece of answer) {
      // While it is worked on nobody waits for the other side.
      clearTimeout(timer);
      yield piece as Uint8Array;
      wake();
    }
  } catch (error) {
    throw error instanceof AccessionError ? error : away(url, 'broke off');
  } finally {
    clearTimeout(timer);
  }
}
