/**
 * Raw thinking that a server left in the text: a leading `<think>...</think>`. It is neither stored nor shown.
 *
 *   start --"<think>"--> inside --"</think>"--> start      start --anything else--> through
 */
const OPEN = '<think>';
const CLOSE = '</think>';

export interface ThinkFilter {
  /** The part of the text so far that is answer and was not given out before. */
  feed(text: string): string;
  /** What was held back in doubt. */
  end(): string;
}

export function createThinkFilter(): ThinkFilter {
  let state: 'start' | 'inside' | 'through' = 'start';
  let held = '';
  return {
    feed(text) {
      if (state === 'through') return text;
      held += text;
      for (;;) {
        if (state === 'inside') {
          const at = held.indexOf(CLOSE);
          if (at < 0) {
            held = held.slice(-(CLOSE.length - 1));
            return '';
          }
          held = held.slice(at + CLOSE.length);
          state = 'start';
        }
        const begun = held.trimStart();
        if (begun.startsWith(OPEN)) {
          held = begun.slice(OPEN.length);
          state = 'inside';
        } else if (OPEN.startsWith(begun)) {
          return '';
        } else {
          return through();
        }
      }
    },
    end: () => (state === 'start' ? through() : ''),
  };

  function through(): string {
    const out = held;
    held = '';
    state = 'through';
    return out;
  }
}

/** The whole text without its thinking, an end without a beginning (some templates open it in the prompt) included. */
export function withoutThinking(text: string): string {
  const filter = createThinkFilter();
  const rest = filter.feed(text) + filter.end();
  const begun = rest.trimStart();
  // In JSON the tag is part of a string and none of ours.
  if (begun.startsWith('{') || begun.startsWith('[')) return rest;
  const at = rest.lastIndexOf(CLOSE);
  return at < 0 ? rest : rest.slice(at + CLOSE.length).trimStart();
}
