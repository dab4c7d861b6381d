/**
 * A guide from an address that an administrator named: asked as any address of the internet is (public-fetch.ts), http or
 * https, five redirects at most; 304 is the same guide, and an answer may be without a byte for 30 s.
 */
import type { IncomingMessage } from 'node:http';
import { askPublic, UnansweredError, WIRE, type Wire } from '#lanes/guide/node/public-fetch.ts';
import { AccessionError } from '#core/errors.ts';
import { importGuide } from '#lanes/guide/bytes/import-guide.ts';
import type { GuideRecord } from '#lanes/guide/core/store/guide-records.ts';
import { HttpError } from '#server/http/http-error.ts';
import { upsert } from '#server/store/rows.ts';
import type { GuideService, ServiceDeps } from '../guide-service.ts';
import { guideBytes } from './body-bytes.ts';

const MOST_REDIRECTS = 5;
/** Without a byte, milliseconds. */
const IDLE_MS = 30_000;

/** How addresses are asked; what tests change. */
export interface GuideWire {
  wire?: Wire;
  idleMs?: number;
}

export type FetchGuide = (
  guide: string,
  wish: { url: string; name?: string | undefined; zone: string | null; user_id: string },
  signal: AbortSignal,
) => Promise<{ changed: boolean; guide: GuideRecord }>;

export function fetchGuideOver(
  deps: ServiceDeps,
  service: GuideService,
  { wire = WIRE, idleMs = IDLE_MS }: GuideWire = {},
): FetchGuide {
  const { db } = deps.store;
  return async (guide, { url: text, name, zone, user_id }, signal) => {
    const line = (changed: boolean) =>
      ({ user_id, action: 'guide.fetched', entity_id: guide, details: { changed } }) as const;
    const url = urlOf(text);
    const before = await service.store.guide(guide);
    const row = db.selectFrom('guide_addresses').selectAll().where('guide', '=', guide);
    const known = before === null ? undefined : await row.executeTakeFirst();
    const tag = known?.url === text && before?.zone === zone ? known.etag : null;
    const answer = await asked(url, tag, { wire, idleMs }, signal);
    try {
      const { statusCode: status = 0, headers } = answer;
      if (status === 304 && before !== null) {
        await service.audited(line(false));
        return { changed: false, guide: before };
      }
      if (status !== 200) throw away(url, `answered ${status}`);
      // Whoever asks for gzip by itself is given the file as it is; what a server packs on the way is packed all the same.
      const source = guideBytes(awake(answer, url, idleMs));
      const wish = { guide, kind: 'address', name: name ?? bare(url), zone } as const;
      const kept = { guide, url: text, etag: headers.etag ?? null };
      const taking = service.taking(
        () => line(true),
        async (tx) => void (await upsert(tx, 'guide_addresses', [kept], { key: ['guide'] })),
      );
      const record = await importGuide(taking, source, wish, { now: deps.clock.now(), cancel: signal });
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

function urlOf(text: string): URL {
  if (!URL.canParse(text)) throw new HttpError('invalid', 'This is no address.');
  const url = new URL(text);
  checkUrl(url);
  if (![url.username, url.password].every(isEscaped))
    throw new HttpError('invalid', 'Name or password in the address has a "%" that stands for nothing.', {
      remedy: 'Write "%25" for a "%" in it.',
    });
  return url;
}

function isEscaped(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function checkUrl({ protocol }: URL): void {
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new HttpError('invalid', 'An address begins with http:// or https://.');
}

async function asked(
  url: URL,
  tag: string | null,
  { wire, idleMs }: Required<GuideWire>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const headers = {
    ...{ Accept: 'application/xml, text/xml, application/gzip, */*', 'User-Agent': 'Accession' },
    ...(tag === null ? {} : { 'If-None-Match': tag }),
  };
  const asking = { check: checkUrl, headers, mostRedirects: MOST_REDIRECTS, headMs: idleMs, signal, wire };
  try {
    return (await askPublic(url, asking)).answer;
  } catch (error) {
    if (error instanceof UnansweredError) throw said(error, idleMs);
    throw error instanceof AccessionError ? error : away(url, 'gave no answer');
  }
}

function said({ why, url }: UnansweredError, idleMs: number): HttpError {
  switch (why) {
    case 'not-public':
      return new HttpError(
        'forbidden',
        `${url.hostname} is no host of the public internet: this server does not ask it.`,
        {
          remedy: 'Send the guide itself: PUT /v1/guide/guides/{id}.',
        },
      );
    case 'bad-redirect':
      return away(url, 'leads to what is no address');
    case 'redirects':
      return away(url, 'leads on too often');
    case 'no-address':
      return away(url, 'has no address');
    case 'late':
      return away(url, `gave no answer within ${idleMs / 1000} s`);
    case 'no-answer':
      return away(url, 'gave no answer');
  }
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
