/** What of a path changes in a rename, as pieces to mark. */
export interface Piece {
  text: string;
  changed: boolean;
}

export interface PathDiff {
  from: Piece[];
  to: Piece[];
}

/** Words, numbers, folders' slashes and the rest of the signs. */
const TOKENS = /\p{L}+\p{M}*|\p{N}+|\/|\s+|[^\p{L}\p{N}\s/]/gu;
/** Longer paths are marked whole: the table of the comparison grows with the product. */
const MOST_TOKENS = 400;

/** Token by token: the longest common subsequence stays, the rest is marked on its side. */
export function pathDiff(from: string, to: string): PathDiff {
  const a = from.match(TOKENS) ?? [];
  const b = to.match(TOKENS) ?? [];
  if (a.length > MOST_TOKENS || b.length > MOST_TOKENS)
    return { from: [{ text: from, changed: true }], to: [{ text: to, changed: true }] };
  const lengths = commonLengths(a, b);
  const out: PathDiff = { from: [], to: [] };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      append(out.from, left, false);
      append(out.to, left, false);
      i++;
      j++;
    } else if (right === undefined || (left !== undefined && at(lengths, i + 1, j) >= at(lengths, i, j + 1))) {
      append(out.from, left ?? '', true);
      i++;
    } else {
      append(out.to, right, true);
      j++;
    }
  }
  return out;
}

/** Of the suffixes that begin at i and j. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = rows[i];
      if (row === undefined) continue;
      row[j] = a[i] === b[j] ? at(rows, i + 1, j + 1) + 1 : Math.max(at(rows, i + 1, j), at(rows, i, j + 1));
    }
  return rows;
}

const at = (rows: readonly Uint16Array[], i: number, j: number): number => rows[i]?.[j] ?? 0;

function append(pieces: Piece[], text: string, changed: boolean): void {
  const last = pieces.at(-1);
  if (last !== undefined && last.changed === changed) last.text += text;
  else pieces.push({ text, changed });
}
