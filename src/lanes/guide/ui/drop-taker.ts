import { db } from '#ui/client/db.ts';
import { ask } from '#ui/client/workers.ts';
import type { DropTaker } from '#ui/lane-ui.ts';
import { guides, proxy } from './client.ts';
import { guidesIn } from './own-files.ts';

export const taker: DropTaker = {
  claim: guidesIn,
  async take(files) {
    const before = new Set(await db.guide_sources.toCollection().primaryKeys());
    const taken: string[] = [];
    for (const { file } of files) {
      const read = await ask(
        guides().take(
          file,
          null,
          proxy(() => undefined),
        ),
      );
      if (read === null) return null;
      if (read.kind === 'guide') taken.push(read.guide.id);
    }
    // One that came again cannot be taken out: what was there before would go with it.
    if (taken.some((id) => before.has(id))) return { path: 'guide' };
    return { path: 'guide', ids: taken };
  },
  async takeOut(ids) {
    for (const id of ids) await ask(guides().remove(id));
  },
};
