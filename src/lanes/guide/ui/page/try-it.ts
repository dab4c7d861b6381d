/** A made-up guide of two channels for today, with faults that evidence mends and one that asks, to see what the page does. */

const HOUR_MS = 3_600_000;
/** What is on, hour by hour. */
const CHANNELS: Readonly<Record<string, readonly string[]>> = {
  'Harbour One': [
    '<title>Harbour</title><sub-title>S02E05 The Quay</sub-title><category>Series</category>',
    '<title>Harbour</title><sub-title>S02E06 Ropes</sub-title><category>Series</category>',
    '<title>Night Ferry (1987)</title><category>Film</category>',
    '<title>News at Eight</title><category>News</category>',
    '<title>Lantern Street</title><category>Series</category><episode-num system="xmltv_ns">0.2.</episode-num>',
  ],
  'Slack Water TV': [
    '<title>Day Ferry (1990)</title><category>Film</category>',
    '<title>Slack Tide</title><category>Series</category>',
    '<title>The Long Quay</title><category>Documentary</category><date>2016</date>',
    '<title>Slack Tide</title><category>Series</category><episode-num system="xmltv_ns">1.4.</episode-num>',
    '<title>Weather for ships</title><category>News</category>',
  ],
};

/** @param now milliseconds since the epoch: what is on then is in it */
export function tryIt(now: number): File {
  const first = Math.floor(now / HOUR_MS) * HOUR_MS - HOUR_MS;
  const when = (at: number): string => `${new Date(at).toISOString().replaceAll(/\D/g, '').slice(0, 14)} +0000`;
  const id = (name: string): string => name.toLowerCase().replaceAll(' ', '-');
  const channels = Object.keys(CHANNELS).map(
    (name) => `<channel id="${id(name)}"><display-name>${name}</display-name></channel>`,
  );
  const programmes = Object.entries(CHANNELS).flatMap(([name, shown]) =>
    shown.map((inside, at) => {
      const start = first + at * HOUR_MS;
      return `<programme start="${when(start)}" stop="${when(start + HOUR_MS)}" channel="${id(name)}">${inside}</programme>`;
    }),
  );
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<tv>${[...channels, ...programmes].join('\n')}</tv>\n`;
  return new File([text], 'harbour-tv.xml', { type: 'application/xml' });
}
