/** The covers that files may be published with: in them, beside them, and of the catalog's albums. Pure. */
import type { Batch, ChosenCover } from '#core/job/job.ts';
import { coverOf, coversBeside } from '#lanes/music/core/publish/convert-request.ts';
import type { MusicJob, MusicReview } from '#lanes/music/core/types.ts';
import { plural } from '#ui/parts/words.ts';

type CoverJob = Pick<
  MusicJob,
  'id' | 'path' | 'original_filename' | 'cover_sha256' | 'cover_mime' | 'cover_chosen' | 'evidence'
>;

/** One of them. */
export interface CoverChoice {
  /** `own`, or the picture's SHA-256. */
  key: string;
  words: string;
  detail: string;
  /** What is shown; null: there is none. */
  shown: { sha256: string; at: 'here' | 'server' } | null;
  /** What is chosen by it; null: each file's own. */
  cover: ChosenCover | null;
}

/** Of pictures that differ from file to file so many are shown. */
const MOST = 4;

/** Choices on this device, and the one that the files have; null: they differ. */
export function coversHere(
  jobs: readonly CoverJob[],
  batch: Pick<Batch, 'companions'> | undefined,
): { choices: CoverChoice[]; chosen: string | null } {
  // As if nothing were chosen: what lay beside a file counts as its own.
  const own = jobs.map((job) => ({ job, cover: coverOf({ ...job, cover_chosen: null }, batch) }));
  const groups = Map.groupBy(
    own.flatMap(({ job, cover }) => (cover === null ? [] : [{ job, cover }])),
    ({ cover }) => cover.sha256,
  );
  const pictures = [...groups.values()].sort((a, b) => b.length - a.length);
  const has = pictures.reduce((sum, files) => sum + files.length, 0);
  const [first] = pictures[0] ?? [];
  const choices: CoverChoice[] = [
    {
      key: 'own',
      words: first === undefined ? 'No cover' : pictures.length === 1 ? 'As in your files' : 'Each file its own',
      detail: first === undefined ? 'in your files' : ownDetail(pictures.length, has, jobs.length),
      shown: first === undefined ? null : { sha256: first.cover.sha256, at: 'here' },
      cover: null,
    },
  ];
  const known = new Set<string>(pictures.length === 1 && has === jobs.length ? groups.keys() : []);
  const add = (cover: ChosenCover, words: string, detail: string): void => {
    if (known.has(cover.sha256)) return;
    known.add(cover.sha256);
    choices.push({ key: cover.sha256, words, detail, shown: { sha256: cover.sha256, at: 'here' }, cover });
  };
  const isBeside = new Map(coversBeside(batch?.companions ?? []).map((one) => [one.sha256, one]));
  for (const files of pictures.slice(0, MOST)) {
    const [one] = files;
    if (one === undefined) continue;
    const { sha256, mime } = one.cover;
    const beside = isBeside.get(sha256);
    const name = beside === undefined ? one.job.original_filename : nameOf(beside.path);
    const from = beside === undefined ? 'file' : 'folder';
    add({ sha256, mime, from, name }, name, `of ${plural(files.length, 'file')}`);
  }
  for (const { path, sha256, mime } of [...isBeside.values()].slice(0, MOST))
    add({ sha256, mime, from: 'folder', name: nameOf(path) }, nameOf(path), 'beside your files');
  for (const { cover_chosen: cover } of jobs)
    if (cover) add(cover, cover.name, cover.from === 'catalog' ? 'of the catalog' : 'your picture');
  const said = new Set(jobs.map(({ cover_chosen }) => cover_chosen?.sha256 ?? 'own'));
  return { choices, chosen: said.size === 1 ? ([...said][0] ?? null) : null };
}

function ownDetail(pictures: number, has: number, files: number): string {
  const different = pictures === 1 ? '' : `${pictures} different ones, `;
  return has === files ? `${different}${plural(files, 'file')}` : `${different}in ${has} of ${plural(files, 'file')}`;
}

const nameOf = (path: string): string => path.split('/').at(-1) ?? path;

/** The catalog's albums that a question speaks of, the likeliest first. */
export function albumsAsked({
  options,
  files,
}: Pick<MusicReview, 'options' | 'files'>): { id: string; title: string }[] {
  const named = [
    ...options.flatMap(({ album, track }) => [
      ...(album ? [{ id: album.album_id, title: album.title }] : []),
      ...(track ? [{ id: track.album_id, title: track.album }] : []),
    ]),
    ...files.flatMap(({ proposed }) => (proposed ? [{ id: proposed.album_id, title: proposed.album }] : [])),
  ];
  return [...new Map(named.map((one) => [one.id, one])).values()].slice(0, 3);
}
