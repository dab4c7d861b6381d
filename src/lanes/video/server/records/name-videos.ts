/** A rename plan made of what is recorded of a folder's files. */
import type * as v from 'valibot';
import { failed } from '#core/errors.ts';
import { lastPart } from '#core/plan/plan-path.ts';
import { renameFiles } from '#core/plan/rename-files.ts';
import { parseTemplate, planEpisodeNames } from '#lanes/video/core/naming/episode-names.ts';
import { PRESETS } from '#lanes/video/core/naming/presets.ts';
import { laidOver, showOf } from '#lanes/video/core/records/lay-over.ts';
import type { NamedVideos, NameVideosSchema } from '#lanes/video/core/records/record-protocol.ts';
import { recordOf, type VideoRecord } from '#lanes/video/core/records/video-record.ts';
import { serverPlans, type PlansDeps } from '#server/plans/server-plans.ts';
import { readSeen } from '../read-seen.ts';
import { readShow } from '../shows/read-shows.ts';
import { videosIn } from './record-rows.ts';

/** VIDEO-119: proposes the plan. Throws AccessionError `not_found`, `conflict`, `invalid` where it cannot be made. */
export async function nameVideos(
  deps: PlansDeps,
  wish: v.InferOutput<typeof NameVideosSchema>,
  by: string,
): Promise<NamedVideos> {
  const { store, plans } = deps;
  const { mediaFolderPath } = wish;
  const seen = await readSeen({ db: store.db, folders: plans.folders }, mediaFolderPath, {});
  const records = new Map<string, VideoRecord>();
  for (const row of await videosIn(store.db, seen.root)) {
    const record = recordOf(row);
    if (record !== null) records.set(row.path.slice(seen.root.length + 1), record);
  }
  const here = seen.entries.filter(({ path }) => records.has(path));
  if (here.length === 0)
    throw failed('not_found', `Nothing is recorded of the files in "${mediaFolderPath}".`, {
      remedy: 'Recognise the folder and confirm the plan first.',
    });
  const show = showOf([...records.values()]);
  if (show === null)
    throw failed('conflict', `The files in "${mediaFolderPath}" are of several shows.`, {
      remedy: 'Name the folder of one show.',
    });
  const named = { ...show, title: show.title ?? lastPart(mediaFolderPath) };
  const preset = PRESETS.find(({ id }) => id === wish.template);
  const parsed = parseTemplate(preset?.template ?? wish.template, preset?.style);
  if (!parsed.ok) throw failed('invalid', parsed.error.sentence);
  const all = laidOver(seen.reading, records).files;
  const files = all.filter(({ path, belongs_to }) => records.has(path) || records.has(belongs_to ?? ''));
  const taken = new Set(files.map(({ path }) => path));
  const names = planEpisodeNames({ show: named, files }, parsed.template, {
    show: show.id === null ? null : await readShow(store.db, show.id),
    others: seen.entries.flatMap(({ path }) => (taken.has(path) ? [] : [path])),
    inShowFolder: wish.inShowFolder,
  });
  const rows = names.rows.map(({ from, to }) => ({
    from: `${mediaFolderPath}/${from}`,
    to: `${mediaFolderPath}/${to}`,
  }));
  const plan = { task: renameFiles.task, mediaFolderPath, files: rows, notes: {}, source: 'rules' } as const;
  return {
    planId: rows.length === 0 ? null : (await serverPlans(deps).service.propose(plan, by)).plan.id,
    files: rows.length,
    unchanged: names.unchanged.length,
    problems: names.problems.map(({ path, sentence }) => ({ path: `${mediaFolderPath}/${path}`, message: sentence })),
  };
}
