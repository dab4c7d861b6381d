/** What was made of what, in the words of `conversion_reason`: `mp3 (lossy, 128 kbit/s) -> vorbis q9`. */
export function reasonFor(source: { codec: string; lossless: boolean; kbits: number | null }, quality: number): string {
  const { codec, lossless, kbits } = source;
  const from = lossless ? codec : `${codec} (lossy${kbits === null ? '' : `, ${kbits} kbit/s`})`;
  return `${from} -> vorbis q${quality}`;
}
