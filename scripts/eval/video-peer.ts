/**
 * What the best npm parser of release names is worth on the same rows: `npm run eval -- video-peer [--data DIR]`
 * (docs/CONTRIBUTING.md, Data).
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseTorrentTitle } from '@viren070/parse-torrent-title';
import { nameFigures, readLabelledNames } from '#lanes/video/cli/eval/video-names.ts';
import type { NameRow } from '#lanes/video/cli/recognize-names.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== 'video-peer'),
  options: { data: { type: 'string' } },
});
const data = resolve(values.data ?? join(import.meta.dirname, '../../../shared/data/video'));

function answer({ id, input }: NameRow) {
  const { title, seasons, episodes, year, date } = parseTorrentTitle(input);
  const years = Number(year?.slice(0, 4));
  return {
    id,
    type: 'unknown',
    title: title ?? null,
    season: seasons === undefined ? null : seasons.length === 1 ? (seasons[0] ?? null) : seasons,
    episodes: episodes ?? [],
    absolute: [],
    year: Number.isNaN(years) ? null : years,
    date: date ?? null,
    part: null,
  };
}

const figures = nameFigures(await readLabelledNames(join(data, 'names.dev.jsonl')), answer);
for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(32)}${Number(value.toFixed(4))}`);
