/**
 * What checking a large guide costs, beside its bare parsing by saxes over the same text; what deriving channels costs
 * (guide-derive.ts), and whether the page goes on while the guide is read in Chromium (guide-browser.ts).
 */
import { createWriteStream, createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { mulberry32 } from '#core/mulberry32.ts';
import { readGuide } from '#lanes/guide/bytes/read-guide.ts';
import { GuideChecker } from '#lanes/guide/core/faults/check-guide.ts';
import { openGuideFile } from '#lanes/guide/node/guide-file.ts';
import { benchReadingPage } from './guide-browser.ts';
import { benchDeriving } from './guide-derive.ts';
import { benchLimit } from './guide-limit.ts';

const MB = 1024 * 1024;
const WHOLE = 200 * MB;
const CHANNELS = 200;
const WORDS =
  'harbour lantern winter river quiet silent meadow bridge garden compass signal station golden crooked northern velvet Straße été película Тихая гавань 静かな港'.split(
    ' ',
  );

/** Milliseconds of this process's own work. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * @param size of 200 MB, from 0 to 1
 * @returns check_vs_saxes: processor's time, a quotient; check_cpu_s, saxes_cpu_s, peak_mb of the process after the check, and what it had come to with the making of the guide
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
      'guide.making_mb': before,
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

/** Writes a guide of so many bytes, with a fault here and there. @returns how many programmes it has */
async function makeGuide(file: string, bytes: number): Promise<number> {
  const random = mulberry32(23);
  const word = (): string => WORDS[Math.floor(random() * WORDS.length)] ?? '';
  const words = (count: number): string => Array.from({ length: count }, word).join(' ');
  const out = createWriteStream(file);
  const ids = Array.from({ length: CHANNELS }, (_, at) => `channel${at}.example.org`);
  const channels = ids.map(
    (id, at) =>
      `<channel id="${id}"><display-name>${words(2)}</display-name><display-name>${at + 1}</display-name></channel>\n`,
  );
  out.write(`<?xml version="1.0" encoding="UTF-8"?>\n<tv>\n${channels.join('')}`);
  let [written, programmes] = [0, 0];
  const time = (minutes: number): string =>
    `${new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString().replace(/[-:T]|\.\d+Z/g, '')} +0000`;
  while (written < bytes) {
    const at = Math.floor(programmes / CHANNELS);
    const fault = random();
    const film = random() < 0.1;
    const programme = `  <programme start="${time(at * 30)}" stop="${time(at * 30 + (fault < 0.005 ? 31 : 30))}" channel="${ids[programmes % CHANNELS]}">
    <title lang="en">${fault > 0.995 ? 'TBA' : words(3)}${random() < 0.1 ? ' &amp; more' : ''}</title>
    <sub-title lang="en">${words(4)}</sub-title>
    <desc lang="en">${words(40)}</desc>
    <credits>
      <director>${words(2)}</director>
      <actor role="${word()}">${words(2)}</actor>
    </credits>
    ${film ? '<date>2001</date>' : ''}<category lang="en">${film ? 'Film' : 'Drama'}</category>
    <icon src="http://127.0.0.1/icons/${programmes}.jpg"/>
    ${film || (fault > 0.01 && fault < 0.015) ? '' : `<episode-num system="xmltv_ns">${at % 9}.${at % 24}.</episode-num>`}
    <rating system="X"><value>12</value></rating>
  </programme>\n`;
    written += Buffer.byteLength(programme);
    programmes++;
    if (!out.write(programme)) await once(out, 'drain');
  }
  out.end('</tv>\n');
  await once(out, 'close');
  return programmes;
}
