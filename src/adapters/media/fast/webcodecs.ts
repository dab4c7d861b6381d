/** The browser's own audio decoders, fed so that neither packets nor sound pile up. */
import { Doubt } from './doubt.ts';

/** Packets that may wait inside the decoder, and blocks of sound outside. */
const AHEAD = 64;

/** True where WebCodecs is there and has this decoder. */
export async function canDecode(config: AudioDecoderConfig): Promise<boolean> {
  if (typeof AudioDecoder === 'undefined') return false;
  try {
    return (await AudioDecoder.isConfigSupported(config)).supported === true;
  } catch {
    // A browser that finds fault with the words of the question cannot do it either.
    return false;
  }
}

/** Sound in the order of its packets; whoever takes a block closes it. Throws Doubt when the decoder stumbles. */
export async function* decodePackets(
  config: AudioDecoderConfig,
  packets: AsyncIterable<EncodedAudioChunk>,
): AsyncGenerator<AudioData> {
  const ready: AudioData[] = [];
  let problem: Doubt | null = null;
  let wake: () => void = () => undefined;
  const decoder = new AudioDecoder({
    output: (data) => {
      ready.push(data);
      wake();
    },
    error: (error) => {
      problem = new Doubt(`the browser's decoder stopped: ${error.message}`);
      wake();
    },
  });
  const check = (): void => {
    if (problem !== null) throw problem;
  };
  try {
    decoder.configure(config);
    for await (const packet of packets) {
      check();
      decoder.decode(packet);
      while (problem === null && decoder.decodeQueueSize > AHEAD && ready.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          decoder.addEventListener('dequeue', () => resolve(), { once: true });
        });
      }
      if (ready.length > 0) yield* drain(ready);
    }
    check();
    await decoder.flush().catch((error: unknown) => {
      check();
      throw new Doubt(`the browser's decoder did not finish: ${String(error)}`);
    });
    check();
    yield* drain(ready);
  } finally {
    for (const data of ready) data.close();
    if (decoder.state !== 'closed') decoder.close();
  }
}

function* drain(ready: AudioData[]): Generator<AudioData> {
  for (let data = ready.shift(); data !== undefined; data = ready.shift()) yield data;
}
