/** The browser's own audio decoders, fed so that neither packets nor sound pile up. */
import { Doubt } from './trim.ts';

/** Packets that may wait inside the decoder before more are given. */
const AHEAD = 32;
/** How many are given at a time. */
export const PACKETS_AT_ONCE = 64;

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
 * are a hundred packets a second, and a step of an async iteration for each costs as much as decoding it. Throws Doubt
 * when the decoder stumbles.
 */
export async function* decodePackets(
  config: AudioDecoderConfig,
  packets: AsyncIterable<EncodedAudioChunk[]>,
): AsyncGenerator<AudioData[]> {
  let ready: AudioData[] = [];
  let problem: Doubt | null = null;
  let wake: () => void = () => undefined;
  const decoder = new AudioDecoder({
    output: (data) => {
      ready.push(data);
      if (decoder.decodeQueueSize <= AHEAD) wake();
    },
    error: (error) => {
      problem = new Doubt(`the browser's decoder stopped: ${error.message}`);
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
    if (decoder.decodeQueueSize <= AHEAD) wake();
  };
  try {
    decoder.configure(config);
    for await (const list of packets) {
      check();
      for (const packet of list) decoder.decode(packet);
      if (decoder.decodeQueueSize > AHEAD) await new Promise<void>((resolve) => (wake = resolve));
      check();
      if (ready.length > 0) yield taken();
    }
    await decoder.flush().catch((error: unknown) => {
      check();
      throw new Doubt(`the browser's decoder did not finish: ${String(error)}`);
    });
    check();
    yield taken();
  } finally {
    for (const data of ready) data.close();
    if (decoder.state !== 'closed') decoder.close();
  }
}
