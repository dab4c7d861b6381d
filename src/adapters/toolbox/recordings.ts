/** Answers of sources that were kept: recorded to be played back, or remembered for when there is no network. */
import { sha256 } from 'hash-wasm';
import * as v from 'valibot';
import { failure } from '#core/errors.ts';
import { fromBase64, toBase64 } from '#core/toolbox/base64.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { textIn } from '../http/content.ts';
import type { Net, NetAnswer, NetAsk } from '#core/toolbox/connectors/net.ts';

export const RecordedSchema = v.object({
  /** Of the question: its address and what it wanted. */
  key: v.string(),
  url: v.string(),
  type: v.string(),
  charset: v.string(),
  at: v.number(),
  /** Base64. */
  body: v.string(),
});
export type Recorded = v.InferOutput<typeof RecordedSchema>;

/** Where they are kept. */
export interface Recordings {
  get(key: string): Promise<Recorded | null>;
  put(row: Recorded): Promise<void>;
}

export const keyOf = ({ url, accept }: Pick<NetAsk, 'url' | 'accept'>): Promise<string> => sha256(`${accept} ${url}`);

export const recordedOf = (key: string, { url, type, charset, at, bytes }: NetAnswer): Recorded => ({
  ...{ key, url, type, charset, at, body: toBase64(bytes) },
});

const answerOf = ({ url, type, charset, at, body }: Recorded): NetAnswer => ({
  ...{ url, type, charset, at, ...read(fromBase64(body), charset), recorded: true },
});

/** Asks, and keeps what was answered. */
export const recordingNet = (net: Net, kept: Recordings): Net => ({
  async ask(asked, signal) {
    const answered = await net.ask(asked, signal);
    if (answered.ok && !answered.value.recorded) await kept.put(recordedOf(await keyOf(asked), answered.value));
    return answered;
  },
});

/** What was kept, and nothing else. */
export const replayingNet = (kept: Recordings): Net => ({
  ask: (asked) => played(asked, kept),
});

/** Asks and keeps; where nothing can be reached, what was kept. */
export function rememberingNet(net: Net, kept: Recordings): Net {
  const recording = recordingNet(net, kept);
  return {
    async ask(asked, signal) {
      const answered = await recording.ask(asked, signal);
      if (answered.ok || answered.failure.code !== 'offline') return answered;
      const before = await played(asked, kept);
      return before.ok ? before : answered;
    },
  };
}

async function played(asked: NetAsk, kept: Recordings): Promise<Result<NetAnswer>> {
  const row = await kept.get(await keyOf(asked));
  if (row !== null) return ok(answerOf(row));
  return fail(failure('offline', `there is no recorded answer of ${new URL(asked.url).hostname} to this`));
}

/** Bytes, and as the text that they are. */
export const read = (bytes: Uint8Array<ArrayBuffer>, charset: string): Pick<NetAnswer, 'bytes' | 'text'> => ({
  bytes,
  text: () => textIn(bytes, charset),
});
