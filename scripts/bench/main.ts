/**
 * `npm run bench`: what the replica costs in a browser, beside MiniSearch, what matching costs, what converting and
 * unpacking cost beside native tools, and what the server costs with a catalog of 1 M tracks.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const USAGE = `npm run bench -- [PART ...] [--option VALUE ...]

  replica          what the replica costs in a browser, beside MiniSearch
  match            what matching costs (both are the default)
  media            what converting, probing and unpacking cost beside native tools
  server           what the server costs with a large catalog
  library          what reading folders and searching them costs, beside MiniSearch
  documents        what identifying PDFs costs, their text beside pdftotext, and searching 20,000 pages
  first-page       what a lane adds to a first visit, over the wire (builds the app twice)
  first-visit      what a first visit costs until the app is kept for a start without its server
  page             a first minute: bytes and requests until a drop and until Try it, how soon, also over a slow line
  history          a start of the installed app with 10,000 files in its history, and the page of 100,000
  guide            checking a guide of 200 MB, beside its bare parsing and in a browser; deriving 200 channels
  playbook         what a run of 10,000 units costs beside its model, and beside a plain loop with a file of JSON Lines
  playbook-page    whether the page goes on while 10,000 units run on it and are scrolled
  toolbox          how soon each engine of the toolbox stands and answers in Node, R's memory, bytes of each download
  load             whether one person can stop 200 readers, 50 uploaders and 100 sockets

  --tracks N       replica, match: size of the large catalog (1000000)
  --only GROUPS    media: names of its groups with commas between them (all)
  --rounds N       media, first-visit, history: how often each thing is measured (3)
  --seconds N      media: length of its music; server, load: seconds of load, at most 20 (240)
  --size SHARE     media, server, load, guide, history, playbook-page: share of the size of their large files and catalogs, over 0 to 1 (1)
  --admins N       load: imports of 118 MB by an administrator, at once, in the place of the hostile requests (0)
  --lane NAME      first-page: the lane that is left out (library)
  --chunks N       library: chunks that are searched (100000)
  --dir DIR        library: a folder that is indexed, too; documents: its PDFs (../shared/data/documents/pdfs)
  --trace FILE     playbook-page: what each task over 50 ms was made of is printed, and Chromium's trace kept there
  --json FILE      the figures as JSON, too`;

/** Each by itself: what one loads is no memory of another's. */
const PARTS = {
  replica: async () => (await import('./replica.ts')).benchReplica(tracks),
  match: async () => (await import('./match.ts')).benchMatch(tracks),
  media: async () => (await import('./media/main.ts')).benchMedia({ only, rounds, seconds, size }),
  server: async () => (await import('./server/main.ts')).benchServer({ size, seconds: Math.min(seconds, 20) }),
  library: async () => (await import('./library.ts')).benchLibrary({ chunks, dir: values.dir ?? null }),
  documents: async () =>
    (await import('./documents.ts')).benchDocuments({
      dir: values.dir ?? join(import.meta.dirname, '../../../shared/data/documents/pdfs'),
      rounds,
    }),
  'first-page': async () => (await import('./first-page.ts')).benchFirstPage({ lane: values.lane }),
  'first-visit': async () => (await import('./first-visit.ts')).benchFirstVisit({ rounds }),
  page: async () => (await import('./page.ts')).benchPage(),
  history: async () => (await import('./history.ts')).benchHistory({ rounds, size }),
  guide: async () => (await import('./guide.ts')).benchGuide({ size }),
  playbook: async () => (await import('./playbook.ts')).benchPlaybook(),
  'playbook-page': async () =>
    (await import('./playbook-page.ts')).benchPlaybookPage({ size, trace: values.trace ?? null }),
  toolbox: async () => (await import('./toolbox.ts')).benchToolbox(),
  load: async () => (await import('./server/load-main.ts')).benchLoad({ size, seconds: Math.min(seconds, 20), admins }),
};
type Part = keyof typeof PARTS;
const isPart = (name: string): name is Part => Object.hasOwn(PARTS, name);

const { values, positionals } = parseArgs({
  options: {
    tracks: { type: 'string', default: '1000000' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '240' },
    size: { type: 'string', default: '1' },
    admins: { type: 'string', default: '0' },
    lane: { type: 'string', default: 'library' },
    chunks: { type: 'string', default: '100000' },
    dir: { type: 'string' },
    trace: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
  allowPositionals: true,
});
if (values.help === true) {
  console.log(USAGE);
  process.exit();
}
const tracks = Number(values.tracks);
if (!Number.isSafeInteger(tracks) || tracks < 1000) throw new Error('--tracks must be a whole number from 1000 on.');
const rounds = Number(values.rounds);
if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number from 1 on.');
const size = Number(values.size);
if (!(size > 0 && size <= 1)) throw new Error('--size must be over 0 and at most 1.');
const seconds = Number(values.seconds);
if (!Number.isSafeInteger(seconds) || seconds < 10) throw new Error('--seconds must be a whole number from 10 on.');
const chunks = Number(values.chunks);
if (!Number.isSafeInteger(chunks) || chunks < 1000) throw new Error('--chunks must be a whole number from 1000 on.');
const admins = Number(values.admins);
if (!Number.isSafeInteger(admins) || admins < 0) throw new Error('--admins must be a whole number from 0 on.');
const only = values.only.split(',').filter((name) => name !== '');
const unknown = positionals.find((name) => !isPart(name));
if (unknown !== undefined) throw new Error(`There is no part "${unknown}": ${Object.keys(PARTS).join(', ')}.`);
const parts = positionals.length === 0 ? (['replica', 'match'] as const) : positionals.filter(isPart);

const figures: Record<string, number> = {};
for (const part of parts) {
  for (const [name, value] of Object.entries(await PARTS[part]())) {
    figures[name] = Number(value.toFixed(3));
    // With their noise, those are printed as they come.
    if (part !== 'media') console.log(`${name.padEnd(36)}${figures[name]}`);
  }
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`);
