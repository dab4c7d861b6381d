import { coverage, calibrationError, optionsAt3, precision, type Bin, type Score } from './score.ts';

const percent = (share: number): string => (100 * share).toFixed(1);

/** The figures as a table, classes first. */
export function table(score: Score): string {
  const lines = [
    `${'class'.padEnd(26)}${['files', 'right', 'wrong', 'review', 'cover%', 'prec%', 'absent!', 'opt@3%'].map((head) => head.padStart(9)).join('')}`,
  ];
  const tiers = ['core', 'hard', 'all'];
  const names = [...score.rows.keys()].filter((name) => !tiers.includes(name));
  for (const name of [...names, ...tiers]) {
    const row = score.rows.get(name);
    if (!row) continue;
    const cells = [
      row.files,
      row.right,
      row.wrong,
      row.review,
      row.due === 0 ? '-' : percent(coverage(row)),
      row.right + row.wrong === 0 ? '-' : percent(precision(row)),
      `${row.absentCommitted}/${row.absent}`,
      row.asked === 0 ? '-' : percent(optionsAt3(row)),
    ];
    lines.push(`${name.padEnd(26)}${cells.map((cell) => String(cell).padStart(9)).join('')}`);
  }
  return lines.join('\n');
}

/** A reliability diagram as SVG: how often a confidence of so much was right, and how many files had it. */
export function reliabilityDiagram(bins: readonly Bin[], title: string): string {
  const most = Math.max(1, ...bins.map((bin) => Math.log1p(bin.files)));
  const x = (share: number): number => 50 + 300 * share;
  const y = (share: number): number => 330 - 300 * share;
  const bars = bins.map((bin, n) => {
    const height = (Math.log1p(bin.files) / most) * 60;
    const count = `<rect x="${x(n / 10) + 2}" y="${y(0) - height}" width="26" height="${height.toFixed(1)}" fill="#d9d4cc"/>`;
    if (bin.files === 0) return count;
    const point = `<circle cx="${x(bin.confidence / bin.files).toFixed(1)}" cy="${y(bin.right / bin.files).toFixed(1)}" r="5" fill="#0b5f5a"/>`;
    return `${count}<title>${bin.right} of ${bin.files}</title>${point}`;
  });
  const ticks = [0, 0.5, 1].map(
    (share) =>
      `<text x="${x(share)}" y="348" text-anchor="middle">${share}</text><text x="42" y="${y(share) + 4}" text-anchor="end">${share}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 380 380" font-family="sans-serif" font-size="11">
<rect width="380" height="380" fill="#fff"/>
<text x="50" y="18" font-size="12">${title}, calibration error ${calibrationError(bins).toFixed(3)}</text>
<path d="M50 30V330H350" fill="none" stroke="#333"/>
<path d="M50 330L350 30" stroke="#999" stroke-dasharray="4 4"/>
${bars.join('\n')}
${ticks.join('\n')}
<text x="200" y="368" text-anchor="middle">confidence (bars: files, logarithmic)</text>
<text x="14" y="180" transform="rotate(-90 14 180)" text-anchor="middle">share that is right</text>
</svg>
`;
}
