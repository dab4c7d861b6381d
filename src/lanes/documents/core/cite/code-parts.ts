/**
 * Which parts of a Markdown text are code or markup that shows text as it is, so that nothing in them is replaced:
 * fenced and indented code, spans between backticks, `<code>`, `<pre>`, comments.
 */

/** `[start, end)` of each, in the order of the text; none overlap. */
export function codeParts(text: string): [start: number, end: number][] {
  const blocks = blocksOf(text);
  const parts: [number, number][] = [];
  let from = 0;
  for (const [start, end] of [...blocks, [text.length, text.length] as const]) {
    for (const match of text.slice(from, start).matchAll(SPAN)) {
      // An escaped backtick opens nothing.
      if (match[1] === undefined && match[2] === undefined) continue;
      parts.push([from + match.index, from + match.index + match[0].length]);
    }
    if (start < end) parts.push([start, end]);
    from = end;
  }
  return parts;
}

/** Escapes, spans of backticks as long at their end (not over an empty line), elements and comments. */
const SPAN =
  /\\.|(?<!`)(`+)(?!`)(?:(?!\n\s*\n)[^])*?(?<!`)\1(?!`)|(<(?:code|pre|script|style)\b[^>]*>[^]*?<\/(?:code|pre|script|style)>|<!--[^]*?-->)/gi;

function blocksOf(text: string): [number, number][] {
  const blocks: [number, number][] = [];
  let at = 0;
  let fence: { mark: string; start: number } | null = null;
  /** Of what an indented line may be: code behind an empty line, but not below an item of a list. */
  let [isEmptyBefore, isInList, indentedFrom] = [true, false, -1];
  const endIndented = (): void => {
    if (indentedFrom >= 0) blocks.push([indentedFrom, at]);
    indentedFrom = -1;
  };
  for (const line of text.split(/(?<=\n)/)) {
    const end = at + line.length;
    if (fence !== null) {
      const closing = /^[\s>]*(`{3,}|~{3,})\s*$/.exec(line)?.[1] ?? '';
      if (closing.startsWith(fence.mark)) {
        blocks.push([fence.start, end]);
        fence = null;
      }
    } else {
      const mark = /^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
      const isEmpty = line.trim() === '';
      const isIndented = /^(?: {4}|\t)/.test(line);
      if (mark !== undefined && !isIndentedCode(isIndented, isEmptyBefore || indentedFrom >= 0, isInList)) {
        endIndented();
        fence = { mark, start: at };
      } else if (!isEmpty) {
        if (isIndentedCode(isIndented, isEmptyBefore || indentedFrom >= 0, isInList))
          indentedFrom = indentedFrom < 0 ? at : indentedFrom;
        else {
          endIndented();
          if (!isIndented) isInList = /^\s*(?:[-*+]|\d+[.)])\s/.test(line) || (isInList && !isEmptyBefore);
        }
      }
      isEmptyBefore = isEmpty;
    }
    at = end;
  }
  // A fence that is never closed goes to the end.
  if (fence !== null) blocks.push([fence.start, at]);
  endIndented();
  return blocks;
}

const isIndentedCode = (isIndented: boolean, mayBegin: boolean, isInList: boolean): boolean =>
  isIndented && mayBegin && !isInList;
