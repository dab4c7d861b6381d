/** What the Guide page is at: files on their way in, and whether anything changed since it was shown. */
import { db } from '#ui/client/db.ts';
import { ask } from '#ui/client/workers.ts';
import { Live } from '#ui/parts/live.svelte.ts';
import { plural } from '#ui/parts/words.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';
import { guides, proxy } from '../client.ts';

/** Grows with whatever the views show, whoever changed it. */
const changes = new Live(
  async () => {
    const sources = await db.guide_sources.toArray();
    const [runs, dismissed, schedules] = await Promise.all([
      ...[db.guide_runs.count(), db.guide_dismissals.count(), db.guide_schedules.count()],
    ]);
    const point = await db.guide_points.orderBy('seq').last();
    return {
      key: JSON.stringify([sources.map(({ id, revision }) => [id, revision]), runs, dismissed, schedules, point?.at]),
      guides: sources,
    };
  },
  { key: '', guides: [] },
  200,
);

class GuideDesk {
  importing = $state<{ name: string; share: number; programmes: number } | null>(null);

  get guides() {
    return changes.current.guides;
  }
  get ready(): boolean {
    return changes.ready;
  }
  /** Another text when anything changed. */
  get version(): string {
    return changes.current.key;
  }

  /** Guides first, so that lineups find theirs. */
  async take(files: readonly File[], guide: string | null = null): Promise<void> {
    const late = (file: File): boolean => /\.(?:json|m3u8?)$/i.test(file.name);
    const ordered = [...files.filter((file) => !late(file)), ...files.filter(late)];
    for (const file of ordered) {
      this.importing = { name: file.name, share: 0, programmes: 0 };
      const taken = await ask(
        guides().take(
          file,
          guide,
          proxy(({ share, programmes }) => {
            if (this.importing !== null) this.importing = { name: file.name, share, programmes };
          }),
        ),
      );
      this.importing = null;
      if (taken?.kind === 'guide') toasts.say(`${file.name}: ${plural(taken.guide.programmes, 'programme')}.`);
      if (taken?.kind === 'lineup')
        toasts.say(taken.unreadable ?? `${file.name}: a lineup of ${plural(taken.entries, 'channel')}.`);
    }
  }
}

export const desk = new GuideDesk();
