/** Lines of pasted lists: the number before a title, and the title without quotation marks. */

const NUMBER = /^#?(\d{1,3})(?:[.)]\s*|\s+[-–—]\s*|\s+)/;

/** The number before a title, and the title; null where the line has none. `next`: which would follow. */
export function numberOfLine(line: string, next: number): { number: number; rest: string } | null {
  const found = NUMBER.exec(line);
  if (found === null || !isPlace(found, next, line.slice(found[0].length))) return null;
  return { number: Number(found[1]), rest: line.slice(found[0].length) };
}

/** A title without the quotation marks around it. */
export function bareTitle(text: string): string {
  return text
    .trim()
    .replace(/^["“„«]\s*|\s*["”»]$/g, '')
    .trim();
}

/** "99 Luftballons" as the third line is a title, "3 Paranoid Android" and "99. The Last" a number and a title. */
function isPlace([all, digits = '']: RegExpExecArray, next: number, rest: string): boolean {
  const number = Number(digits);
  if (rest.trim() === '' || number < 1) return false;
  return number === next || digits.startsWith('0') || /[.)\t–—-]/.test(all);
}
