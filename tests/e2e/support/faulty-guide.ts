/** A guide of two channels with faults that evidence mends, and the check of what was exported of it. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programFile } from '../../fixtures/program-file.ts';

const pad = (hour: number): string => String(hour).padStart(2, '0');
const programme = (hour: number, inside: string, channel = 'one'): string =>
  `<programme start="20260310${pad(hour)}0000 +0000" stop="20260310${pad(hour + 1)}0000 +0000" channel="${channel}">${inside}</programme>`;

/** Channel One lacks a number and a year, Channel Two a year. */
export const FAULTY_GUIDE = `<?xml version="1.0"?><tv><channel id="one"><display-name>Channel One</display-name></channel><channel id="two"><display-name>Channel Two</display-name></channel>${[
  programme(10, '<title>Harbour</title><sub-title>S02E05</sub-title><category>Series</category>'),
  programme(12, '<title>Night Ferry (1987)</title><category>Film</category>'),
  programme(14, '<title>Fine</title><category>Series</category><episode-num system="xmltv_ns">0.0.</episode-num>'),
  programme(12, '<title>Day Ferry (1990)</title><category>Film</category>', 'two'),
].join('')}</tv>`;

/** What `accession guide check` finds in it, by type. */
export async function checkExport(text: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'accession-export-'));
  try {
    const file = join(folder, 'guide.xml');
    await writeFile(file, text);
    const program = [programFile('cli/main.ts'), 'guide', 'check', file, '--json'];
    // It ends with 1 where it finds a fault.
    const { stdout } = await promisify(execFile)(process.execPath, program).catch(
      (ended: unknown) => ended as { stdout: string },
    );
    return (JSON.parse(stdout) as { faults: { where: string; type: string }[] }).faults.map(
      ({ where, type }) => `${where} ${type}`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
