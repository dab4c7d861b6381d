/**
 * Sources on the public internet, for connectors: https alone, without a port or a password, at hosts that each list lets through
 * and that resolve to public addresses (adapters/node/public-fetch.ts), one question to a host at a time; then kind, bytes and time
 * are bounded. Secrets are put in here, for their own origin, and are in no answer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { failed } from '#core/errors.ts';
import type { CancelSignal } from '#core/cancel.ts';
import { allowedBy, isPattern, plainHost } from '#core/domains.ts';
import type { Clock } from '#core/ports.ts';
import type { Result } from '#core/result.ts';
import { TAKEN, type Connector, type Net, type NetAnswer, type NetAsk } from '#core/toolbox/connectors/net.ts';
import { mayRead } from '#core/toolbox/connectors/robots.ts';
import { answeredWithin, hostIn } from '../../node/answered-within.ts';
import { bytesWithin, typeOf, unpacked } from '../../node/answer-body.ts';
import { askPublic, UnansweredError, WIRE, type Wire } from '../../node/public-fetch.ts';
import { read } from '../recordings.ts';

export interface PublicNetOptions {
  clock: Clock;
  /** Patterns of hosts that connectors without hosts of their own may ask; null: what the run says. */
  allow: readonly string[] | null;
  /** Null: there is none of this name. */
  secret?(name: string): Promise<string | null>;
  wire?: Wire;
  wait?(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const MOST_REDIRECTS = 5;
/** A wait that the other side asks for is kept where it is as long as this; a longer one is said. Milliseconds. */
const MOST_WAIT = 5_000;
const AGENT = 'Accession/0.2 (accession; a research tool that reads what a person asks for)';
/** How long a robots.txt holds, milliseconds. */
const ROBOTS_MS = 3_600_000;

export function publicNet(options: PublicNetOptions): Net {
  const asker = new Asker(options);
  return { ask: (asked, signal) => asker.ask(asked, signal) };
}

class Asker {
  readonly #options: PublicNetOptions;
  readonly #wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Of each host: the turn of the last that asked it. */
  readonly #turns = new Map<string, Promise<void>>();
  readonly #robots = new Map<string, { until: number; text: string }>();

  constructor(options: PublicNetOptions) {
    this.#options = options;
    this.#wait = options.wait ?? (async (ms, signal) => sleep(ms, undefined, { signal }));
  }

  ask(asked: NetAsk, signal: CancelSignal | undefined): Promise<Result<NetAnswer>> {
    const { timeMs } = asked.connector;
    const late = failed('tool_timeout', `${hostIn(asked.url)} took longer than ${timeMs / 1000} s.`);
    return answeredWithin(asked.url, { timeMs, late, signal }, (stop) => this.#asked(asked, stop));
  }

  async #asked(asked: NetAsk, signal: AbortSignal, again = true): Promise<NetAnswer> {
    const { connector, accept } = asked;
    if (plainHost(asked.url) === null) throw refused('it is no plain https address');
    const first = new URL(asked.url);
    const secret = await this.#secretOf(connector);
    if (secret !== null && connector.secret?.query !== undefined)
      first.searchParams.set(connector.secret.query, secret);
    const headers = (url: URL): Record<string, string> => ({
      ...{ Accept: accept, 'User-Agent': AGENT },
      ...(secret !== null && url.origin === first.origin && connector.secret?.header !== undefined
        ? { [connector.secret.header]: `${connector.secret.prefix ?? ''}${secret}` }
        : {}),
    });
    const check = async (url: URL): Promise<void> => {
      this.#check(url, asked);
      if (connector.robots) await this.#askRobots(url, asked, signal);
      await this.#turn(url.hostname, connector.everyMs, signal);
    };
    const { answer, url } = await this.#sent(first, { check, headers, signal });
    try {
      const { statusCode: status = 0 } = answer;
      const waitMs = status === 429 || status === 503 ? this.#retryAfter(answer.headers['retry-after']) : null;
      if (again && waitMs !== null && waitMs <= MOST_WAIT) {
        answer.destroy();
        await this.#wait(waitMs, signal);
        return await this.#asked(asked, signal, false);
      }
      if (status < 200 || status > 299) throw refusal(url.hostname, status, waitMs);
      const { type, charset } = typeOf(answer);
      if (!TAKEN.test(type))
        throw failed('tool_refused', `${url.hostname} answered what is not taken (${type.slice(0, 60)}).`);
      const body = unpacked(answer);
      if (body === null) throw failed('tool_refused', `${url.hostname} answered in a packing that is not known.`);
      const bytes = await bytesWithin(body, connector.bytes);
      if (bytes === null)
        throw failed('tool_limit', `${url.hostname} answered more than ${connector.bytes / 1024 / 1024} MiB.`);
      return {
        ...{ url: said(url, connector), type, charset, at: this.#options.clock.now(), recorded: false },
        ...read(new Uint8Array(bytes), charset),
      };
    } finally {
      answer.destroy();
    }
  }

  async #sent(
    url: URL,
    how: Pick<Parameters<typeof askPublic>[1], 'check' | 'headers' | 'signal'>,
  ): ReturnType<typeof askPublic> {
    const { wire = WIRE } = this.#options;
    try {
      return await askPublic(url, { ...how, mostRedirects: MOST_REDIRECTS, wire });
    } catch (error) {
      throw error instanceof UnansweredError ? unanswered(error) : error;
    }
  }

  /** Throws AccessionError `tool_refused`. */
  #check(url: URL, { connector, domains }: NetAsk): void {
    const { protocol, username, password, port, hostname, href } = url;
    if (href.length > 8000) throw refused('the address is too long');
    if (protocol !== 'https:') throw refused('only https is asked');
    if (username !== '' || password !== '') throw refused('the address has a name or a password in it');
    if (port !== '') throw refused('the address names a port');
    if (!isPattern(hostname)) throw refused(`${hostname} is no name of a host`);
    const own = connector.hosts ?? this.#options.allow;
    if (!allowedBy(hostname, [own, domains])) throw refused(`${hostname} is not among the domains that may be asked`);
  }

  async #askRobots(url: URL, asked: NetAsk, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let known = this.#robots.get(url.host);
    if (known === undefined || known.until < clock.now()) {
      known = { until: clock.now() + ROBOTS_MS, text: await this.#robotsOf(url, asked, signal) };
      if (this.#robots.size >= 1000) this.#robots.clear();
      this.#robots.set(url.host, known);
    }
    if (!mayRead(known.text, `${url.pathname}${url.search}`))
      throw refused(`the robots.txt of ${url.hostname} asks programs not to read it`);
  }

  /** Where there is none, all may be read; where it cannot be had, nothing. */
  async #robotsOf(url: URL, asked: NetAsk, signal: AbortSignal): Promise<string> {
    const check = async (next: URL): Promise<void> => {
      this.#check(next, asked);
      await this.#turn(next.hostname, asked.connector.everyMs, signal);
    };
    const headers = { Accept: 'text/plain', 'User-Agent': AGENT };
    const { answer } = await this.#sent(new URL('/robots.txt', url), { check, headers, signal });
    try {
      const { statusCode: status = 0 } = answer;
      if (status >= 400 && status < 500 && status !== 429) return '';
      const body = status === 200 ? unpacked(answer) : null;
      const bytes = body === null ? null : await bytesWithin(body, 1024 * 1024);
      if (bytes === null) throw failed('tool_unavailable', `The robots.txt of ${url.hostname} cannot be read.`);
      return bytes.toString('utf8');
    } finally {
      answer.destroy();
    }
  }

  /** One question to a host at a time, and so long after the one before. Who gives up leaves at once and holds up nobody. */
  async #turn(host: string, everyMs: number, signal: AbortSignal): Promise<void> {
    const before = this.#turns.get(host) ?? Promise.resolve();
    // The next one waits from then on, whether this one is answered or not.
    const mine = before.then(() => (signal.aborted ? undefined : this.#wait(everyMs, new AbortController().signal)));
    this.#turns.set(host, mine);
    void mine.finally(() => {
      if (this.#turns.get(host) === mine) this.#turns.delete(host);
    });
    await unlessAborted(before, signal);
  }

  async #secretOf({ name, secret }: Connector): Promise<string | null> {
    if (secret === undefined) return null;
    const found = (await this.#options.secret?.(secret.name)) ?? null;
    if (found !== null) return found;
    throw failed('tool_unavailable', `${name} needs the secret "${secret.name}", which is not here.`, {
      remedy: `Say it in the environment as ACCESSION_SECRET_${secret.name}, where the server or the terminal runs.`,
    });
  }

  /** Seconds or a date, as milliseconds from now; null: it says nothing. */
  #retryAfter(header: string | undefined): number | null {
    if (header === undefined) return null;
    if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
    const at = Date.parse(header);
    return Number.isNaN(at) ? null : Math.max(0, at - this.#options.clock.now());
  }
}

function refusal(host: string, status: number, waitMs: number | null): Error {
  if (status === 429 || (status === 503 && waitMs !== null))
    return failed(
      'rate_limited',
      `${host} asks to wait${waitMs === null ? '' : ` ${Math.ceil(waitMs / 1000)} s`} (${status}).`,
      waitMs === null ? {} : { retryAfterMs: waitMs },
    );
  return failed('tool_unavailable', `${host} answered ${status}.`);
}

function unanswered({ why, url: { hostname } }: UnansweredError): Error {
  switch (why) {
    case 'redirects':
      return refused(`${hostname} leads on too often`);
    case 'bad-redirect':
      return refused(`${hostname} leads to what is no address`);
    case 'not-public':
      return refused(`${hostname} is no host of the public internet`);
    case 'no-address':
      return failed('offline', `${hostname} has no address.`);
    default:
      return failed('offline', `${hostname} gave no answer.`);
  }
}

/** Throws the signal's reason as soon as it is aborted. */
async function unlessAborted(waited: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort);
  try {
    await Promise.race([waited, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** The address without the secret. */
function said(url: URL, { secret }: Connector): string {
  if (secret?.query === undefined) return url.href;
  const clean = new URL(url);
  clean.searchParams.delete(secret.query);
  return clean.href;
}

const refused = (why: string): Error => failed('tool_refused', `It is not asked: ${why}.`);
