/** S3's answers are flat XML of a few known elements; what is read of them is text alone. */

/** The text of the first element of that name, or null. */
export function textOf(xml: string, element: string): string | null {
  return textsOf(xml, element)[0] ?? null;
}

/** The content of every element of that name, elements inside included. */
export function textsOf(xml: string, element: string): string[] {
  const found = xml.matchAll(new RegExp(`<${element}(?:\\s[^>]*)?>([^]*?)</${element}>`, 'g'));
  return [...found].map(([, text = '']) => plain(text));
}

/** A text as it may be in an element. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function plain(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, ten?: string, sixteen?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = ten === undefined ? parseInt(sixteen ?? '', 16) : Number(ten);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
