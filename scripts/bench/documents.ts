/** What identifying PDFs costs, in one thread of Node, their text beside pdftotext, and searching their pages. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodePdfText } from '#adapters/node/pdf-text.ts';
import { benchPages } from './document-pages.ts';
import { identifyPdfBytes } from '#lanes/documents/node/identify-pdf-bytes.ts';

const NEVER = { aborted: false };

/** Milliseconds of this process's own work. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * @param dir a folder of PDFs
 * @returns identify.ms_per_pdf and .cpu_ms_per_pdf, the mean of the best of each file's rounds; text.cpu_ratio, where
 *   there is a pdftotext; search.* of document-pages.ts
 */
export async function benchDocuments({
  dir,
  rounds,
}: {
  dir: string;
  rounds: number;
}): Promise<Record<string, number>> {
  if (!existsSync(dir)) throw new Error(`"${dir}" is not there: name a folder of PDFs with --dir.`);
  const names = readdirSync(dir).filter((name) => name.endsWith('.pdf'));
  const files = names.map((name) => join(dir, name));
  let [best, bestCpu] = [0, 0];
  for (const file of files) {
    const bytes = new Uint8Array(readFileSync(file));
    const times: { ms: number; cpu: number }[] = [];
    // The first round loads what this kind of file needs.
    for (let round = 0; round <= rounds; round++) {
      const [begun, cpu] = [performance.now(), cpuMs()];
      // What cannot be read costs, too.
      await identifyPdfBytes(bytes, NEVER).catch(() => null);
      if (round > 0) times.push({ ms: performance.now() - begun, cpu: cpuMs() - cpu });
    }
    best += Math.min(...times.map(({ ms }) => ms));
    bestCpu += Math.min(...times.map(({ cpu }) => cpu));
  }
  return {
    'identify.ms_per_pdf': best / files.length,
    'identify.cpu_ms_per_pdf': bestCpu / files.length,
    'identify.pdfs': files.length,
    ...(await textRatio(files)),
    ...(await benchPages()),
  };
}

/** All text of all files: this process's CPU over pdftotext's. */
async function textRatio(files: readonly string[]): Promise<Record<string, number>> {
  const reader = nodePdfText();
  let [ours, theirs] = [0, 0];
  for (const file of files) {
    const peer = pdftotextMs(file);
    if (peer === 'missing') return {};
    // What pdftotext does not read is no part of the comparison.
    if (peer === 'unread') continue;
    const bytes = new Uint8Array(readFileSync(file));
    for (const counts of [false, true]) {
      const begun = cpuMs();
      const pdf = await reader.open(bytes).catch(() => null);
      for (let number = 1; number <= (pdf?.pages ?? 0); number++) await pdf?.page(number).catch(() => null);
      await pdf?.close();
      if (counts) ours += cpuMs() - begun;
    }
    theirs += peer;
  }
  return { 'text.cpu_ratio': ours / theirs };
}

function pdftotextMs(file: string): number | 'missing' | 'unread' {
  const script =
    'TIMEFORMAT="%U %S"; command -v pdftotext >/dev/null || exit 3; { time pdftotext "$1" - >/dev/null 2>&1 || exit 4; } 2>&1';
  try {
    const said = execFileSync('bash', ['-c', script, 'bash', file], { encoding: 'utf8' });
    const [user = 0, system = 0] = said.trim().split(/\s+/).map(Number);
    return (user + system) * 1000;
  } catch (error) {
    const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : null;
    return status === 4 ? 'unread' : 'missing';
  }
}
