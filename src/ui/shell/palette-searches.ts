/** What the palette finds beside places and actions: things of each lane, files of the history, settings, keys. */
import FileClock from '@lucide/svelte/icons/file-clock';
import Keyboard from '@lucide/svelte/icons/keyboard';
import Settings from '@lucide/svelte/icons/settings-2';
import { baseName } from '#core/ingest/paths.ts';
import { finishedJobs } from '../history/finished-jobs.ts';
import type { Hit, LaneSearch } from '../lane-ui.ts';
import { allLanes, laneOf, loadParts, partsOf } from '../lanes.ts';
import { hasWords } from '../list/has-words.ts';
import { SECTION_NAMES } from '../settings/section-names.ts';
import { keysOfLanes, OWN_KEYS } from './key-groups.ts';

const MOST = 6;

async function files(words: string): Promise<Hit[]> {
  const { jobs } = await finishedJobs({ outcome: 'all', text: words, order: 'newest' }, 0, MOST);
  return jobs.map((job) => ({
    key: `file ${job.id}`,
    label: baseName(job.path),
    detail: laneOf(job)?.rows?.title([job])?.title ?? '',
    path: `jobs/${job.id}`,
  }));
}

async function settings(words: string): Promise<Hit[]> {
  await loadParts('settings');
  const has = hasWords(words);
  const ofLanes = partsOf('settings').flatMap(({ sections = [] }) => sections);
  const all: { id: string; label: string; words?: string }[] = [...SECTION_NAMES, ...ofLanes];
  return all
    .filter((one) => has([one.label, one.words]))
    .map(({ id, label }) => ({ key: `setting ${id}`, label, detail: '', path: `settings#${id}` }));
}

/** `onhelp` shows the help on keys. */
async function keys(words: string, onhelp: () => void): Promise<Hit[]> {
  const has = hasWords(words);
  return [...OWN_KEYS, ...(await keysOfLanes())]
    .flatMap(({ name, keys }) => keys.map(([key, what]) => ({ name, key, what })))
    .filter(({ name, what }) => has([what, name]))
    .slice(0, MOST)
    .map(({ name, key, what }) => ({
      key: `key ${name} ${key}`,
      label: what,
      detail: `${key} · ${name}`,
      run: onhelp,
    }));
}

export async function paletteSearches(onhelp: () => void): Promise<readonly LaneSearch[]> {
  // Those of a lane whose code cannot be loaded now are missing, and the others are there.
  const ofLanes = await Promise.all(allLanes().map(async (lane) => (await lane.searches?.().catch(() => [])) ?? []));
  return [
    ...ofLanes.flat(),
    { heading: 'Files', icon: FileClock, find: files },
    { heading: 'Settings', icon: Settings, find: settings },
    { heading: 'Keys', icon: Keyboard, find: async (words) => keys(words, onhelp) },
  ];
}
