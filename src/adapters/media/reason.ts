import { isBelowTarget } from '#core/media.ts';

/** What was made of what, in the words of `conversion_reason`: `mp3 (lossy, 128 kbit/s, below target) -> vorbis q9`. */
export function reasonFor(source: { codec: string; lossless: boolean; kbits: number | null }, quality: number): string {
  const { codec, lossless, kbits } = source;
  const notes = [
    'lossy',
    kbits === null ? '' : `${kbits} kbit/s`,
    isBelowTarget(source, quality) ? 'below target' : '',
  ];
  const from = lossless ? codec : `${codec} (${notes.filter((note) => note !== '').join(', ')})`;
  return `${from} -> vorbis q${quality}`;
}
