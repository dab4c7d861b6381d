/** The browser's own audio decoders, fed so that neither packets nor sound pile up. */
import type { Timers } from '../../http/socket.ts';
import { Signs } from '../../signs.ts';
import { DecoderDoubt } from './trim.ts';

/** Packets that may wait inside the decoder before more are given. */
const AHEAD = 32;
/** How many are given at a time. */
export const PACKETS_AT_ONCE = 64;
/** A decoder that has packets and neither takes one nor gives sound for so long is given up. Milliseconds. */
const SILENT_MS = 30_000;

const systemTimers: Timers = {
  set: (run, ms) => setTimeout(run, ms),
  clear: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

/** WebKitGTK and WPE, and neither Chromium, whose name says WebKit too, nor Safari. */
const WEBKIT_ON_LINUX = /Linux.*AppleWebKit\/(?!.*Chrom)/;

/**
 * WebKitGTK's decoder of MP3 with one channel frees what is not its own (2.50.6): the whole page dies of it, at each
 * start anew, since the file in hand is converted again. It cannot be tried, only known.
 */
export function breaksThePage({ codec, numberOfChannels }: AudioDecoderConfig, agent: string): boolean {
  return codec === 'mp3' && numberOfChannels === 1 && WEBKIT_ON_LINUX.test(agent);
}

/** True where WebCodecs is there, has this decoder and survives it. */
export async function canDecode(config: AudioDecoderConfig): Promise<boolean> {
  if (typeof AudioDecoder === 'undefined' || breaksThePage(config, navigator.userAgent)) return false;
  try {
    return (await AudioDecoder.isConfigSupported(config)).supported === true;
  } catch {
    // A browser that finds fault with the words of the question cannot do it either.
    return false;
  }
}

/**
 * Sound in the order of its packets; whoever takes a block closes it. Packets go in and sound comes out in lists: there
 * are a hundred packets a second, and a step of an async iteration for each costs as much as decoding it. Throws
 * DecoderDoubt when the decoder stumbles, or says nothing any more.
 */
export async function* decodePackets(
  config: AudioDecoderConfig,
  packets: AsyncIterable<EncodedAudioChunk[]>,
  timers = systemTimers,
): AsyncGenerator<AudioData[]> {
  let ready: AudioData[] = [];
  let problem: DecoderDoubt | null = null;
  const signs = new Signs(timers, SILENT_MS);
  const silent = (): never => {
    throw new DecoderDoubt("the browser's decoder does not answer");
  };
  let wake: () => void = () => undefined;
  const decoder = new AudioDecoder({
    output: (data) => {
      ready.push(data);
      signs.give();
      if (decoder.decodeQueueSize <= AHEAD) wake();
    },
    error: (error) => {
      problem = new DecoderDoubt(`the browser's decoder stopped: ${error.message}`);
      wake();
    },
  });
  const check = (): void => {
    if (problem !== null) throw problem;
  };
  const taken = (): AudioData[] => {
    const list = ready;
    ready = [];
    return list;
  };
  decoder.ondequeue = () => {
    signs.give();
    if (decoder.decodeQueueSize <= AHEAD) wake();
  };
  try {
    decoder.configure(config);
    for await (const list of packets) {
      check();
      for (const packet of list) decoder.decode(packet);
      check();
      if (decoder.decodeQueueSize > AHEAD)
        await signs.orSilent(new Promise<void>((resolve) => (wake = resolve)), silent);
      check();
      if (ready.length > 0) yield taken();
    }
    const flushed = decoder.flush().catch((error: unknown) => {
      check();
      throw new DecoderDoubt(`the browser's decoder did not finish: ${String(error)}`);
    });
    await signs.orSilent(flushed, silent);
    check();
    yield taken();
  } finally {
    for (const data of ready) data.close();
    if (decoder.state !== 'closed') decoder.close();
  }
}
