/** A made-up folder of two shows and a file that is of neither, to see what the page does: names and sizes, no sound or picture. */
import type { FolderSource } from '../client.ts';

const NAMES = [
  'Lantern.Street.S01E01.The.Long.Quay.1080p.WEB.x264-GRP.mkv',
  'Lantern.Street.S01E01.The.Long.Quay.1080p.WEB.x264-GRP.en.srt',
  'Lantern.Street.S01E02.Low.Water.1080p.WEB.x264-GRP.mkv',
  'Lantern.Street.S01E03.1080p.WEB.x264-GRP.mkv',
  'Slack Tide (2019)/Slack Tide - 1x01 - Ropes.avi',
  'Slack Tide (2019)/Slack Tide - 1x02 - Pilot Boat.avi',
  'holiday 2017.mp4',
  'sample/lantern.street.s01e01.sample.mkv',
];

/** @param modified milliseconds since the epoch, of every file */
export const tryIt = (modified: number): FolderSource => ({
  kind: 'list',
  name: 'New episodes',
  files: NAMES.map((path, at) => ({ path, size: path.endsWith('.srt') ? 48_000 : 310_000_000 + at, modified })),
});
