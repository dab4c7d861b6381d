import type { FileTags } from './evidence.ts';

/**
 * SAFE-15: characters that turn the direction of the text around them, that control a terminal, or that pile up on one
 * letter are taken out of tags before anything is made of them, and it is said. What people write with (Hebrew with its
 * own marks, Persian with ZWNJ, emoji) stays as it is.
 */
const TURNING_OR_CONTROL = /[\u202A-\u202E\u2066-\u2069]|(?![\t\n\r])\p{Cc}/gu;
/** Marks on one letter; cantillated Hebrew and Tibetan stay below. */
const MARKS = /(\p{M}{8})\p{M}+/gu;

const TEXTS = ['title', 'artist', 'album', 'albumartist', 'genre'] as const;

/** The tags as they may be shown, and the names of those that were changed. */
export function visibleTags(tags: FileTags): { tags: FileTags; changed: string[] } {
  const changed: string[] = [];
  const seen: FileTags = { ...tags };
  for (const name of TEXTS) {
    const text = tags[name];
    if (text === undefined) continue;
    const visible = text.replace(TURNING_OR_CONTROL, '').replace(MARKS, '$1');
    if (visible === text) continue;
    changed.push(name);
    if (visible.trim() === '') delete seen[name];
    else seen[name] = visible;
  }
  return { tags: seen, changed };
}
