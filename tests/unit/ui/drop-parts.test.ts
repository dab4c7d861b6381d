import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { guidesIn } from '#lanes/guide/ui/own-files.ts';
import { sourcesIn } from '#lanes/library/ui/page/own-files.ts';
import { playbooksIn } from '#lanes/playbooks/ui/own-files.ts';
import { videosIn } from '#lanes/video/ui/own-files.ts';
import type { DropTaker, LaneDrops } from '#ui/lane-ui.ts';
import { folderOf, partsOfDrop } from '#ui/ingest/drop-parts.ts';

const dropped = (path: string, text: string | Uint8Array<ArrayBuffer> = 'x') => ({
  path,
  file: new File([text], path),
});
const paths = (files: readonly { path: string }[]) => files.map(({ path }) => path);
const lane = (id: string, priority: number, names: RegExp, claim: DropTaker['claim']) => ({
  id,
  drops: {
    ...{ label: id, priority, names },
    load: vi.fn(async () => ({ claim, take: () => Promise.resolve(null), takeOut: () => Promise.resolve() })),
  } satisfies LaneDrops,
});
const library = (names = /\.(?:md|py|txt|xml|yaml)$/) => lane('library', 50, names, async (files) => sourcesIn(files));
const LANES = [
  library(),
  lane('video', 20, /\.(?:mkv|mp4)$/, async (files) => videosIn(files)),
  lane('guide', 10, /\.xml(?:\.gz)?$/, guidesIn),
  lane('playbooks', 10, /\.ya?ml$/, playbooksIn),
];
async function sorted(files: ReturnType<typeof dropped>[]) {
  const { parts, rest } = await partsOfDrop(files, LANES);
  return { ...Object.fromEntries(parts.map((part) => [part.lane.id, paths(part.files)])), rest: paths(rest) };
}
const GUIDE =
  '<?xml version="1.0"?>\n<!-- of 3 April -->\n<!DOCTYPE tv SYSTEM "xmltv.dtd">\n<tv generator-info-name="x">';
const PLAYBOOK = 'playbook: 1 # of birds\nname: Birds\nsteps:\n  - name: tell\n';

test('UI-294 a mixed drop is parted: an album stays, and each lane has what is its own', async () => {
  const files = [
    ...['album/01.flac', 'album/cover.jpg', 'album/notes.txt', 'album/tag.py', 'album/show.xml'],
    ...['show/s01e01.mkv', 'show/s01e01.en.srt', 'show/info.txt'],
    ...['code/main.py', 'code/data.bin', 'code/paper.pdf', 'code/.DS_Store'],
    ...['loose.md', 'paper.pdf', 'Some Film.mp4', 'Show S02E03.mp4'],
  ].map((path) => dropped(path));
  files.push(dropped('epg.xml', GUIDE), dropped('birds.yaml', PLAYBOOK), dropped('notes.yaml', 'steps:\n  - walk\n'));
  expect(await sorted(files)).toEqual({
    guide: ['epg.xml'],
    playbooks: ['birds.yaml'],
    video: ['show/s01e01.mkv', 'show/s01e01.en.srt', 'show/info.txt', 'Show S02E03.mp4'],
    library: ['code/main.py', 'code/data.bin'],
    rest: [
      ...['album/01.flac', 'album/cover.jpg', 'album/notes.txt', 'album/tag.py', 'album/show.xml'],
      ...['code/paper.pdf', 'code/.DS_Store', 'loose.md', 'paper.pdf', 'Some Film.mp4', 'notes.yaml'],
    ],
  });
});

test('UI-294 loose notes and code are of the Library, but not beside loose sound or an archive', async () => {
  const notes = ['a.md', 'b.py', 'photo.jpg'].map((path) => dropped(path));
  expect(await sorted(notes)).toEqual({ library: ['a.md', 'b.py'], rest: ['photo.jpg'] });
  expect(await sorted([...notes, dropped('song.mp3')])).toEqual({ rest: [...paths(notes), 'song.mp3'] });
  expect(await sorted([...notes, dropped('album.zip')])).toEqual({ rest: [...paths(notes), 'album.zip'] });
});

test.each([
  ['a packed guide', 'epg.xml.gz', gzipSync(GUIDE), true],
  ['a packed file that is damaged', 'epg.xml.gz', gzipSync(GUIDE).subarray(0, 12), false],
  ['something else packed', 'list.xml.gz', gzipSync('<rss><tv></tv></rss>'), false],
  ['another document', 'feed.xml', '<rss version="2"><tv/></rss>', false],
  ['a name that begins alike', 'tvs.xml', '<tvs></tvs>', false],
  ['an empty file', 'empty.xml', '', false],
] as const)('UI-294 whether it is a guide: %s', async (_, path, content, is) => {
  const file = dropped(path, typeof content === 'string' ? content : new Uint8Array(content));
  expect(await guidesIn([file])).toEqual(is ? [file] : []);
});

test('UI-294 no code of a lane is loaded for files that it cannot read, and one that fails leaves its files', async () => {
  const files = [dropped('a.flac'), dropped('birds.yaml', PLAYBOOK)];
  const notes = library(/\.md$/);
  const broken = lane('playbooks', 10, /\.ya?ml$/, playbooksIn);
  broken.drops.load.mockRejectedValue(new Error('gone'));
  const { parts, rest } = await partsOfDrop(files, [notes, broken]);
  expect(parts).toEqual([]);
  expect(paths(rest)).toEqual(paths(files));
  expect(notes.drops.load).not.toHaveBeenCalled();
});

test('UI-294 a folder that the browser opened goes with its files where all of them do', () => {
  const folder = { name: 'show', kind: 'directory' } as FileSystemDirectoryHandle;
  const files = [dropped('show/1.mkv'), dropped('show/2.mkv')];
  expect(folderOf(files, [...files, dropped('b.md')], [folder])).toBe(folder);
  expect(folderOf(files.slice(1), files, [folder])).toBeNull();
  expect(folderOf(files, files, [])).toBeNull();
  expect(folderOf([dropped('a.mkv'), ...files], [dropped('a.mkv'), ...files], [folder])).toBeNull();
});
