/** The rename as the person shapes it: a template, names written by hand, files left out; and what that comes to. */
import { SvelteSet } from 'svelte/reactivity';
import type { FolderReading } from '#lanes/video/core/folder-reading.ts';
import { spelled } from '#lanes/video/core/records/find-records.ts';
import { PRESETS } from '#lanes/video/core/naming/presets.ts';
import { ask } from '#ui/client/workers.ts';
import type { VideoRow } from './corrections.ts';
import { video, type RenamePreview } from '../client.ts';
import { parseSeason } from './video-words.ts';

const KEPT = 'video-template';
const collator = new Intl.Collator('en', { numeric: true });
const DEFAULT_TEMPLATE = PRESETS[0]?.template ?? '{name}{ext}';

export class RenameForm {
  template = $state(DEFAULT_TEMPLATE);
  /** As the names say it; of the catalog, of the files, or the person's own words. */
  title = $state('');
  year = $state('');
  /** The folder is the show's own. */
  inShowFolder = $state(true);
  /** The rows are of several shows: each gets its own folder. */
  several = $state(false);
  /** Names written by hand, below the folder, by path. */
  edits = $state.raw<Readonly<Record<string, string>>>({});
  readonly excluded = new SvelteSet<string>();
  preview = $state.raw<RenamePreview | null>(null);
  /** What is shown is older than what was asked for. */
  stale = $state(false);
  /** Path of the row whose name is being written. */
  editing = $state<string | null>(null);

  #rows: VideoRow[] = [];
  #id: string | null = null;
  #wanted = 0;

  /** Problems first, then by what they will be called. */
  readonly ordered = $derived(
    this.preview?.rows.toSorted(
      (a, b) => Number(b.problems.length > 0) - Number(a.problems.length > 0) || collator.compare(a.to, b.to),
    ) ?? [],
  );
  /** Paths of files that cannot get the name. */
  readonly troubled = $derived(this.ordered.filter((row) => row.problems.length > 0).map((row) => row.from));
  /** Files that were left out here. */
  readonly left: VideoRow[] = $derived.by(() => {
    void this.preview;
    return this.#rows.filter((row) => this.excluded.has(row.path));
  });

  begin(rows: VideoRow[], show: FolderReading['show'], folder: string): void {
    this.#rows = rows;
    this.several = rows.some((row) => row.show !== undefined);
    this.#id = show.id;
    this.title = spelled(show.title ?? folder, folder);
    this.year = show.year === null ? '' : `${show.year}`;
    this.template = localStorage.getItem(KEPT) ?? DEFAULT_TEMPLATE;
    this.edits = {};
    this.excluded.clear();
    this.preview = null;
    this.editing = null;
    void this.refresh();
  }

  use(template: string): void {
    this.template = template;
    localStorage.setItem(KEPT, template);
    void this.refresh();
  }

  useShowFolder(own: boolean): void {
    this.inShowFolder = own;
    void this.refresh();
  }

  name(title: string, year: string): void {
    this.title = title;
    this.year = year;
    void this.refresh();
  }

  /** `to` null: the name that the template makes. */
  write(path: string, to: string | null): void {
    const { [path]: _former, ...rest } = this.edits;
    this.edits = to === null ? rest : { ...rest, [path]: to };
    void this.refresh();
  }

  /** With what follows them. */
  setExcluded(paths: Iterable<string>, out: boolean): void {
    const wanted = new SvelteSet(paths);
    for (const { path, belongs_to } of this.#rows) {
      if (!wanted.has(path) && !wanted.has(belongs_to ?? '')) continue;
      if (out) this.excluded.add(path);
      else this.excluded.delete(path);
    }
    void this.refresh();
  }

  /** The newest wish wins; answers to older ones are thrown away. */
  async refresh(): Promise<void> {
    const mine = ++this.#wanted;
    this.stale = true;
    const rows = this.#rows.filter((row) => !this.excluded.has(row.path));
    const year = parseSeason(this.year);
    const show = { id: this.#id, title: this.title.trim() || null, year };
    const { template, inShowFolder, edits } = this;
    const preview = await ask(video().preview({ rows, template, inShowFolder, show, edits }));
    if (mine !== this.#wanted) return;
    this.preview = preview;
    this.stale = false;
  }
}
