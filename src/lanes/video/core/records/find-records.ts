/** What a recognition plan says of each of its files, made whole: with its show, its title and whose word it is. */
import type { Found } from '#core/plan/folder-files.ts';
import type { PlanSource, PlanState } from '#core/plan/plan.ts';
import * as v from 'valibot';
import type { RecognisedFile } from '../folder-reading.ts';
import { hintOfName } from '../plan-kinds.ts';
import type { RecognizeMediaFilePlan } from '../recognize-protocol.ts';
import type { Show } from '../show-catalog.ts';
import type { Finding } from './change-records.ts';
import type { ShowOfRecord } from './video-record.ts';

/** `about` of a recognition plan: the show that it was made with. */
export const AboutShowSchema = v.object({
  show: v.object({ id: v.nullable(v.string()), title: v.nullable(v.string()), year: v.nullable(v.number()) }),
});

/** What is known beside the plan when it is confirmed. */
export interface Surroundings {
  show: ShowOfRecord;
  /** With its episodes, where the catalog has it. */
  catalog: Show | null;
  /** What is recognised of each file, by absolute path. */
  recognised: ReadonlyMap<
    string,
    Pick<RecognisedFile, 'class' | 'season' | 'episodes' | 'part' | 'title' | 'reading' | 'show'>
  >;
  /** The files as they are now, by absolute path: those that are gone get no record. */
  files: ReadonlyMap<string, Pick<Found, 'size' | 'modified'>>;
  /** Lengths, by absolute path. */
  seconds: ReadonlyMap<string, number | null>;
}

/** One for each file that is there, in the plan's order. */
export function findingsOf(
  plan: Pick<RecognizeMediaFilePlan, 'files'>,
  state: Pick<PlanState, 'notes' | 'source'>,
  around: Surroundings,
): Finding[] {
  return [...Map.groupBy(plan.files, ({ path }) => path)].flatMap(([path, entries]) => {
    const file = around.files.get(path);
    const [first] = entries;
    if (file === undefined || first === undefined) return [];
    const { season } = first;
    const episodes = [...new Set(entries.map(({ episode }) => episode))].sort((a, b) => a - b);
    const note = state.notes[path];
    const known = around.recognised.get(path);
    const same = known?.class === 'episode' && known.season === season && known.episodes.join() === episodes.join();
    const [ownTitle, saidTitle] = same ? [known.title, known.reading.episode_title] : [null, null];
    // In a folder of several shows a file has its own.
    const { show = around.show } = known ?? {};
    const source: PlanSource = note?.source ?? state.source ?? 'rules';
    return {
      ...{ path, size: file.size, modified: file.modified, seconds: around.seconds.get(path) ?? null },
      show: { id: show.id, title: show.title, year: show.year },
      ...{ season, episodes, part: (known ?? hintOfName(path))?.part ?? null },
      title: ownTitle ?? titleOf(show === around.show ? around.catalog : null, season, episodes) ?? saidTitle,
      ...{ source, confidence: note?.confidence ?? 1 },
    };
  });
}

/**
 * A show that only files name, as its folder writes it: files are often named in small letters and with dots, and the
 * folder has the same words as a person wrote them.
 */
export function spelledAs(show: ShowOfRecord, folder: string): ShowOfRecord {
  return show.id === null && show.title !== null ? { ...show, title: spelled(show.title, folder) } : show;
}

/** The folder's words, where they are the same but for small and large letters. */
export function spelled(title: string, folder: string): string {
  return title.toLowerCase() === folder.toLowerCase() ? folder : title;
}

/** The catalog's titles of these episodes, `A + B` of several; null where it has none. */
export function titleOf(show: Show | null, season: number | null, episodes: readonly number[]): string | null {
  const found = show?.seasons.find(({ number }) => number === season)?.episodes ?? [];
  const titles = episodes.flatMap((one) => found.find(({ number }) => number === one)?.title ?? []);
  return titles.length === 0 ? null : [...new Set(titles)].join(' + ');
}
