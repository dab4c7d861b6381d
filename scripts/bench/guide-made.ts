/** Makes the guide that guide.ts measures, as a program of its own: FILE BYTES; says how many programmes it has. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mulberry32 } from '#core/mulberry32.ts';

const CHANNELS = 200;
const WORDS =
  'harbour lantern winter river quiet silent meadow bridge garden compass signal station golden crooked northern velvet Straße été película Тихая гавань 静かな港'.split(
    ' ',
  );

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

const [, , file = '', bytes = '0'] = process.argv;
const programmes = await makeGuide(file, Number(bytes));
process.send?.(programmes, () => process.disconnect());
