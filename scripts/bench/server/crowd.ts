/**
 * Readers, uploaders, sockets and one person who sends the largest and worst that a token may send, all at the same
 * server; and somebody who asks every 50 ms whether it is well.
 */
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as timeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import type { Asked } from './asker.ts';
import { vorbisFile } from '../../../tests/fixtures/vorbis-file.ts';

export interface CrowdOptions {
  url: string;
  /** Of readers, uploaders and sockets, by their number; `hostile` may edit, `admin` may all. */
  token: { reader(at: number): string; uploader(at: number): string; hostile: string };
  readers: number;
  uploaders: number;
  sockets: number;
  /** Tracks `tr_0` and on, in albums `al_0` of twelve. */
  tracks: number;
  titleOf(track: number): string;
  /** Made when the sockets are open, and sent when all others are at it. */
  hostile: () => Promise<readonly HostileRequest[]>;
  /** They are sent all at once, and each until it is taken. */
  atOnce?: boolean;
  /** For so long, and until the last hostile request is answered. Milliseconds. */
  ms: number;
  /** Called after each hostile request, with its seconds. */
  done?: (name: string, seconds: number) => void;
  /** Called once whoever asks after the server's health has been started, before anything else is sent. */
  begun?: () => void;
  /** Milliseconds between two requests of a reader, and of an uploader. */
  pauses: { reader: number; uploader: number };
}

export interface HostileRequest {
  name: string;
  method: string;
  path: string;
  /** Null: it has none. */
  body: string | null;
  /** Answered before its body is read: whoever goes on sending may find the connection closed instead. */
  unread?: boolean;
  /** What it may be answered with. */
  status: readonly number[];
}

export interface CrowdFigures {
  health_max_ms: number;
  health_p99_ms: number;
  /** The longest that whoever asked waited for a processor of its own meanwhile. */
  asker_wait_ms: number;
  read_p50_ms: number;
  read_p99_ms: number;
  reads: number;
  commits: number;
  hostile: number;
  hostile_s: number;
  sockets: number;
  errors: number;
  /** Requests that were told to come again, and did. */
  again: number;
  /** What the errors were: the first ones. */
  said: string[];
}

/** So often a request is sent again. */
const MOST_TRIES = 5;

export async function crowd(options: CrowdOptions): Promise<CrowdFigures> {
  const { url, token, readers, uploaders, tracks, titleOf, hostile, pauses } = options;
  const asker = fork(fileURLToPath(new URL('./asker.ts', import.meta.url)), [url]);
  options.begun?.();
  const stop = new AbortController();
  const said: string[] = [];
  const reads: number[] = [];
  const counts = { errors: 0, commits: 0, hostile: 0, again: 0 };

  const wrong = (what: string): void => {
    counts.errors += 1;
    if (said.length < 10) said.push(what);
  };
  /** Sent again where it is told to, as workstations and workers do; a busy server is no error, one that stays busy is. */
  const send = async (...request: Parameters<typeof sendOnce>): ReturnType<typeof sendOnce> => {
    for (let left = options.atOnce === true ? Infinity : MOST_TRIES; ; left -= 1) {
      const answer = await sendOnce(...request);
      if (left === 0 || answer.again_s === null) return answer;
      counts.again += 1;
      await timeout(answer.again_s * 1000);
    }
  };
  const sendOnce = async (as: string, method: string, path: string, body: BodyInit | null = null, headers = {}) => {
    const all = { Authorization: `Bearer ${as}`, ...headers };
    // What is sent all at once is worked on one after the other: `fetch` would go after 300 s without a word.
    const isPatient = options.atOnce === true && typeof body === 'string';
    const answer = isPatient
      ? await sendPatiently(`${url}${path}`, method, all, body)
      : await fetch(`${url}${path}`, { method, body, headers: all });
    const again = answer.headers.get('retry-after');
    const again_s = [429, 503].includes(answer.status) && again !== null ? Number(again) : null;
    return { status: answer.status, text: await answer.text(), again_s };
  };
  /** Counted where it is not one of these answers, or none. */
  const expectOf = async (status: readonly number[], ...request: Parameters<typeof send>): Promise<string> => {
    try {
      const answer = await send(...request);
      if (!status.includes(answer.status))
        wrong(`${request[1]} ${request[2]}: ${answer.status} ${answer.text.slice(0, 200)}`);
      return answer.text;
    } catch (error) {
      wrong(`${request[1]} ${request[2]}: ${String(error)} ${String((error as Error).cause ?? '')}`);
      return '';
    }
  };
  const rest = (ms: number): Promise<unknown> => timeout(ms, undefined, { signal: stop.signal }).catch(() => undefined);

  const reader = async (at: number): Promise<void> => {
    // Not all at once.
    await rest((pauses.reader * at) / readers);
    for (let round = at; !stop.signal.aborted; round += 1) {
      const asked = performance.now();
      await expectOf([200], token.reader(at), 'GET', readPath(round, (round * 7919) % tracks, titleOf));
      reads.push(performance.now() - asked);
      await rest(pauses.reader);
    }
  };
  const uploader = async (at: number): Promise<void> => {
    await rest((pauses.uploader * at) / uploaders);
    for (let round = 0; !stop.signal.aborted; round += 1) {
      const track = (round * uploaders + at) % tracks;
      await publish(token.uploader(at), track, round * uploaders + at);
      await rest(pauses.uploader);
    }
  };
  const publish = async (as: string, track: number, seed: number): Promise<void> => {
    const file = vorbisFile({ durationMs: 120_000 + (track % 200) * 1000, seed: seed + 1 });
    const tus = { 'Tus-Resumable': '1.0.0' };
    const metadata = `sha256 ${Buffer.from(file.sha256).toString('base64')}`;
    const begin = { ...tus, 'Upload-Length': String(file.size), 'Upload-Metadata': metadata };
    await expectOf([201], as, 'POST', '/v1/uploads', null, begin);
    const piece = { ...tus, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
    await expectOf([204], as, 'PATCH', `/v1/uploads/${file.sha256}`, new Blob([file.bytes]), piece);
    const commit = {
      ...{ job_id: `job-${seed}`, track_id: `tr_${track}`, sha256: file.sha256, size: file.size },
      ...{ duration_ms: file.durationMs, original_filename: '01.flac', original_sha256: '0'.repeat(64) },
      ...{ match_confidence: 0.97, match_source: 'AGENT', request_id: null, replace: true },
    };
    const key = createHash('sha256').update(`${seed}`).digest('hex');
    const json = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
    await expectOf([200], as, 'POST', '/v1/ingestion/commits', JSON.stringify(commit), json);
    counts.commits += 1;
  };

  const sockets = await Promise.all(
    Array.from({ length: options.sockets }, (_, at) => listen(url, token.reader(at), stop.signal, wrong)),
  );
  // First: while they are made nobody here can ask or hear anything, and then all would at once.
  const attacks = await hostile();
  const others = [
    ...Array.from({ length: readers }, (_, at) => reader(at)),
    ...Array.from({ length: uploaders }, (_, at) => uploader(at)),
  ];
  const began = performance.now();
  const attack = async ({ name, method, path, body, status, unread = false }: HostileRequest): Promise<void> => {
    const sent = performance.now();
    const json = { 'Content-Type': 'application/json' };
    if (unread) {
      const answer = await send(token.hostile, method, path, body, json).catch(() => null);
      if (answer !== null && !status.includes(answer.status)) wrong(`${method} ${path}: ${answer.status}`);
    } else await expectOf(status, token.hostile, method, path, body, json);
    counts.hostile += 1;
    options.done?.(name, (performance.now() - sent) / 1000);
  };
  if (options.atOnce === true) await Promise.all(attacks.map(attack));
  else for (const request of attacks) await attack(request);
  const hostile_s = (performance.now() - began) / 1000;
  await rest(Math.max(0, options.ms - (performance.now() - began)));
  stop.abort();
  const gone = once(asker, 'exit').then(([code, signal]) => {
    throw new Error(`Whoever asks after the server's health ended too early (${String(signal ?? code)}).`);
  });
  const answers = Promise.race([once(asker, 'message') as Promise<[Asked]>, gone]);
  asker.send('over', () => undefined);
  const [{ times: health, waited, wrong: unwell }] = await answers;
  gone.catch(() => undefined);
  asker.disconnect();
  if (unwell > 0) wrong(`GET /health: ${unwell} times no 200`);
  await Promise.all(others);
  for (const socket of sockets) socket.terminate();
  const at = (list: number[], share: number): number =>
    list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? Number.NaN;
  return {
    ...{ health_max_ms: at(health, 1), health_p99_ms: at(health, 0.99), asker_wait_ms: waited },
    ...{ read_p50_ms: at(reads, 0.5), read_p99_ms: at(reads, 0.99), reads: reads.length },
    ...{ ...counts, hostile_s, sockets: sockets.length, said },
  };
}

/** As `fetch`, but it waits for the answer's first word as long as the server needs. */
async function sendPatiently(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: string,
): Promise<Response> {
  const sending = request(url, { method, headers });
  sending.end(body);
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  const again = answer.headers['retry-after'];
  const text = await textOf(answer);
  const said: Record<string, string> = again === undefined ? {} : { 'retry-after': again };
  return new Response(text, { status: answer.statusCode ?? 0, headers: said });
}

/** A socket that is greeted; one that is closed before the end is an error. */
async function listen(url: string, as: string, stop: AbortSignal, wrong: (what: string) => void): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/ws`, { headers: { authorization: `Bearer ${as}` } });
  socket.on('error', (error) => wrong(`socket: ${String(error)}`));
  socket.on('close', (code) => {
    if (!stop.aborted) wrong(`socket closed: ${code}`);
  });
  await new Promise((resolve) => socket.once('message', resolve).once('close', resolve));
  return socket;
}

/** As workstations ask: for a track or an album, for the feed, and searching with a letter missing. */
function readPath(round: number, track: number, titleOf: (track: number) => string): string {
  const kind = round % 10;
  if (kind < 3) return `/v1/catalog/tracks/tr_${track}`;
  if (kind < 6) return `/v1/catalog/albums/al_${Math.floor(track / 12)}`;
  if (kind < 7) return `/v1/catalog/albums?limit=50`;
  if (kind < 8) return `/v1/catalog/changes?limit=100`;
  const title = titleOf(track);
  const gap = 1 + (round % Math.max(1, title.length - 2));
  return `/v1/catalog/search?limit=10&q=${encodeURIComponent(title.slice(0, gap) + title.slice(gap + 1))}`;
}
