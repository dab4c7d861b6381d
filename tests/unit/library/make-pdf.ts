/** A PDF with text at given places, for tests: one font, no compression, a right table of places. */

export interface Placed {
  text: string;
  /** Points from the lower left corner. */
  x: number;
  y: number;
}

export function makePdf(pages: readonly (readonly Placed[])[]): Uint8Array {
  const objects: string[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${4 + i * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  for (const [i, page] of pages.entries()) {
    const escaped = (text: string): string => text.replaceAll(/[\\()]/g, String.raw`\$&`);
    const content = page
      .map(({ text, x, y }) => `BT /F1 10 Tf 1 0 0 1 ${x} ${y} Tm (${escaped(text)}) Tj ET`)
      .join('\n');
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + i * 2} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  }
  let text = '%PDF-1.4\n';
  const places = objects.map((object, i) => {
    const at = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return new TextEncoder().encode(text);
}

/** Lines below each other from a place on, 12 points apart. */
export const column = (x: number, y: number, lines: readonly string[]): Placed[] =>
  lines.map((text, i) => ({ text, x, y: y - 12 * i }));
