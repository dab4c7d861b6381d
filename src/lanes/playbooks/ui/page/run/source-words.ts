import type { Mark } from '../../client.ts';

type Source = NonNullable<Mark['source']>;

const dotted = (...parts: readonly (string | null)[]): string => parts.filter((part) => part).join('.');

/** `r1.p_value`, `birds.json.0.grams`. */
export const placeWords = (source: Source): string =>
  source.of === 'call'
    ? dotted(source.handle, source.place)
    : source.of === 'input'
      ? dotted(source.file, source.place)
      : source.place;

/** `r1.p_value of stat_t_test, version 1`, in a line. */
export function sourceWords(source: Source): string {
  const place = placeWords(source);
  if (source.of === 'call') return `${place} of ${source.tool}, version ${source.version}`;
  return `from the ${source.of}${place === '' ? '' : ` ${place}`}`;
}
