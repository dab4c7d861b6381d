/** Made-up documents, to see what the page does: a paper as a PDF with its DOI, and a book as text with its ISBN. */
import type { DroppedDocument } from '../client.ts';

/** Lines from the top of the page: points of the letters, and the text. */
type Line = readonly [size: number, text: string];

const PAPER: readonly Line[] = [
  [9, 'Journal of Imaginary Harbours 17 (2024) 101-112. https://doi.org/10.5555/harbour.2024.17'],
  [18, 'Reading Tide Poles by Lamp Light'],
  [11, 'Ida Strand and Jonas Holm'],
  [10, 'Institute of Made-up Hydrography, Port Elsewhere'],
  [11, 'Abstract'],
  [10, 'Heights of the tide were read from a wooden pole on 41 nights, with and without a lamp.'],
  [10, 'Two readers agreed within four centimetres; a gauge beside the pole was off by more.'],
  [10, 'Keywords: tides, gauges, observation'],
];

const BOOK = `The Pilot's Almanac
A handbook for small harbours

by Jonas Holm

Third edition
Elsewhere Press, 2021
ISBN 978-3-16-148410-0

Contents
1 Tides
2 Lights
3 Fog
`;

export const tryIt = (): DroppedDocument[] => [
  { path: 'scan0017.pdf', file: new File([pdfOf(PAPER)], 'scan0017.pdf', { type: 'application/pdf' }) },
  { path: 'almanac.txt', file: new File([BOOK], 'almanac.txt', { type: 'text/plain' }) },
];

/** A page with these lines below each other, in Helvetica. Of ASCII alone, so that characters are bytes. */
function pdfOf(lines: readonly Line[]): string {
  let y = 760;
  const text = lines.map(([size, words]) => {
    y -= size + 14;
    return `BT /F1 ${size} Tf 1 0 0 1 72 ${y} Tm (${words.replaceAll(/[\\()]/g, String.raw`\$&`)}) Tj ET`;
  });
  const content = text.join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [4 0 R] >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ];
  let body = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = body.length;
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  return `${body}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
}
