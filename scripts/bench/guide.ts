/**
 * What checking a large guide costs, beside its bare parsing by saxes over the same text; what deriving channels costs
 * (guide-derive.ts), and whether the page goes on while the guide is read in Chromium (guide-browser.ts).
 */
import { fork } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SaxesParser } from 'saxes';
import { readGuide } from '#lanes/guide/bytes/read-guide.ts';
import { GuideChecker } from '#lanes/guide/core/faults/check-guide.ts';
import { openGuideFile } from '#lanes/guide/node/guide-file.ts';
import { benchReadingPage } from './guide-browser.ts';
import { benchDeriving } from './guide-derive.ts';
import { benchLimit } from './guide-limit.ts';

const MB = 1024 * 1024;
const WHOLE = 200 * MB;
/** Milliseconds of this process's own work. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * @param size of 200 MB, from 0 to 1
 * @returns check_vs_saxes: processor's time, a quotient; check_cpu_s, saxes_cpu_s, peak_mb of the process after the check, and what it had come to before it
 */
export async function benchGuide({ size }: { size: number }): Promise<Record<string, number>> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-guide-'));
  const file = join(directory, 'guide.xml');
  try {
    const programmes = await makeGuide(file, WHOLE * size);
    const before = process.resourceUsage().maxRSS / 1024;
    let begun = cpuMs();
    const checker = new GuideChecker();
    const checked = checker.end(await readGuide(await openGuideFile(file), checker));
    const check = cpuMs() - begun;
    const peak = process.resourceUsage().maxRSS / 1024;
    if (checked.programmes !== programmes || checked.stopped !== null) throw new Error('The guide was not read whole.');
    begun = cpuMs();
    await parseBare(file);
    const saxes = cpuMs() - begun;
    return {
      'guide.programmes': programmes,
      'guide.faults': checked.faults.length,
      check_cpu_s: check / 1000,
      saxes_cpu_s: saxes / 1000,
      check_vs_saxes: check / saxes,
      peak_mb: peak,
      'guide.before_mb': before,
      ...(await benchLimit()),
      ...(await benchDeriving()),
      ...(await benchReadingPage(file, programmes)),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The same bytes, decoded and parsed, and nothing kept. */
async function parseBare(file: string): Promise<void> {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  let events = 0;
  const count = (): void => void events++;
  parser.on('opentag', count);
  parser.on('closetag', count);
  parser.on('text', count);
  const decoder = new TextDecoder();
  for await (const piece of createReadStream(file, { highWaterMark: 256 * 1024 }))
    parser.write(decoder.decode(piece as Uint8Array, { stream: true }));
  parser.close();
  if (events === 0) throw new Error('saxes read nothing.');
}

/** In a program of its own: what making it takes is no part of the figures. @returns how many programmes it has */
async function makeGuide(file: string, bytes: number): Promise<number> {
  const child = fork(fileURLToPath(new URL('./guide-made.ts', import.meta.url)), [file, String(bytes)]);
  const [programmes] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('The guide was not made.'))),
  ])) as [number];
  return programmes;
}
