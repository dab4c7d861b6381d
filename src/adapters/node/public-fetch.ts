/**
 * Asks an address of the public internet that a person, a document or another server has named. Nothing else of the program
 * goes there.
 *
 *   address -> the caller's own check -> all that its name resolves to is public -> the connection goes to the very address
 *   that was checked -> a redirect begins anew -> the answer, its body unread
 *
 * What is private, loopback or link-local is asked in no form: not as a number, behind a name, a redirect, or a name that
 * changes between check and use. What signs in goes to the origin that it was given for, and to no other.
 */
import { lookup } from 'node:dns/promises';
import { request, type IncomingMessage } from 'node:http';
import { connect as connectPlain } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { isPublicAddress } from './public-address.ts';

/** How the internet is reached. */
export interface Wire {
  /** All addresses of a name. */
  resolve(host: string): Promise<{ address: string }[]>;
  /** A connection to this address, as the host of `url`. */
  connect(address: string, url: URL): Duplex;
}

export const WIRE: Wire = {
  resolve: (host) => lookup(host, { all: true }),
  connect: (host, { protocol, port, hostname }) =>
    protocol === 'https:'
      ? connectTls({ host, port: Number(port) || 443, servername: hostname })
      : connectPlain({ host, port: Number(port) || 80 }),
};

/** Why nothing was answered. */
export type Unanswered = 'no-address' | 'not-public' | 'redirects' | 'bad-redirect' | 'late' | 'no-answer';

/** Thrown where nothing was answered: the caller says it in its own words. Names no address of the network. */
export class UnansweredError extends Error {
  readonly why: Unanswered;
  /** Where it was. */
  readonly url: URL;

  constructor(why: Unanswered, url: URL) {
    super(`${url.hostname}: ${why}`);
    this.name = 'UnansweredError';
    this.why = why;
    this.url = url;
  }
}

export interface Asking {
  /** The first address, and wherever a redirect leads: throws where it is not asked. */
  check(url: URL): void | Promise<void>;
  /** The same for all, or what each address is told. */
  headers: Readonly<Record<string, string>> | ((url: URL) => Readonly<Record<string, string>>);
  mostRedirects: number;
  /** Until the head of each answer, milliseconds; without it only `signal` ends the wait. */
  headMs?: number;
  signal: AbortSignal;
  wire?: Wire;
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** Throws UnansweredError, what `check` throws, or the signal's reason. */
export async function askPublic(first: URL, asking: Asking): Promise<{ answer: IncomingMessage; url: URL }> {
  const { check, mostRedirects, signal, wire = WIRE } = asking;
  let url = first;
  let signIn = signInOf(url);
  for (let hops = 0; ; hops++) {
    await check(url);
    const address = await publicAddress(url, wire);
    signal.throwIfAborted();
    const answer = await asked(url, address, signIn, asking);
    if (!REDIRECTS.includes(answer.statusCode ?? 0)) return { answer, url };
    answer.destroy();
    if (hops === mostRedirects) throw new UnansweredError('redirects', url);
    const to = answer.headers.location ?? '';
    if (!URL.canParse(to, url.href)) throw new UnansweredError('bad-redirect', url);
    const next = new URL(to, url.href);
    signIn = signInOf(next) ?? (keepsSignIn(url, next) ? signIn : null);
    url = next;
  }
}

/** At the same origin, or at the same host where it is only made safe. */
const keepsSignIn = (from: URL, to: URL): boolean =>
  from.origin === to.origin ||
  (from.hostname === to.hostname && `${from.protocol}${from.port}${to.protocol}${to.port}` === 'http:https:');

/** A name and a password in the address; a stray `%` in them is what it is. */
function signInOf({ username, password }: URL): string | null {
  if (username === '' && password === '') return null;
  return `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Every address of the name must be public: where one is not, somebody plays with it. */
async function publicAddress(url: URL, { resolve }: Wire): Promise<string> {
  const found = await resolve(url.hostname.replace(/^\[|\]$/g, '')).catch(() => []);
  const [first] = found;
  if (first === undefined) throw new UnansweredError('no-address', url);
  if (!found.every(({ address }) => isPublicAddress(address))) throw new UnansweredError('not-public', url);
  return first.address;
}

function asked(
  url: URL,
  address: string,
  signIn: string | null,
  { headers, headMs, signal, wire = WIRE }: Asking,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({
      ...{ method: 'GET', host: url.hostname, path: `${url.pathname}${url.search}`, signal, maxHeaderSize: 32 * 1024 },
      headers: {
        Host: url.host,
        ...(typeof headers === 'function' ? headers(url) : headers),
        ...(signIn === null ? {} : { Authorization: signIn }),
      },
      // Used where no agent is named.
      createConnection: () => wire.connect(address, url),
    });
    const late = (): void => void sent.destroy(new UnansweredError('late', url));
    const timer = headMs === undefined ? undefined : setTimeout(late, headMs);
    sent.on('response', (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
    sent.on('error', (error) => {
      clearTimeout(timer);
      const known = error instanceof UnansweredError || signal.aborted;
      // What Node says of a connection names the address that was asked.
      reject(known ? error : new UnansweredError('no-answer', url));
    });
    sent.end();
  });
}
