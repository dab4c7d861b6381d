import type { FileTags } from '#core/media.ts';

/**
 * SAFE-15: characters that turn the direction of the text around them, that control a terminal, or that pile up on one
 * letter are taken out of tags before anything is made of them, and it is said. What people write with (Hebrew with its
 * own marks, Persian with ZWNJ, emoji) stays as it is.
 */
const TURNING_OR_CONTROL = /[\u202A-\u202E\u2066-\u2069]|(?![\t\n\r])\p{Cc}/gu;
/** Marks on one letter; cantillated Hebrew and Tibetan stay below. */
const MARKS = /(\p{M}{8})\p{M}+/gu;

const TEXTS = ['title', 'artist', 'album', 'albumartist', 'genre'] as const;

/** The tags as they may be shown, and the names of those that were changed. One of which nothing is left is missing. */
export function visibleTags(tags: FileTags): { tags: FileTags; changed: string[] } {
  const visible = TEXTS.flatMap((name) => {
    const text = tags[name];
    if (text === undefined) return [];
    const shown = text.replace(TURNING_OR_CONTROL, '').replace(MARKS, '$1');
    return shown === text ? [] : [{ name, shown: shown.trim() === '' ? undefined : shown }];
  });
  const changed = visible.map(({ name }) => name);
  const kept = Object.entries(tags).filter(([name]) => !changed.some((one) => one === name));
  const shown = visible.flatMap(({ name, shown: text }) => (text === undefined ? [] : [[name, text] as const]));
  return { tags: Object.fromEntries([...kept, ...shown]), changed };
}
