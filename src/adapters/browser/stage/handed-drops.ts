import { ok } from '#core/result.ts';
import type { DroppedFile, StageApi, StageRpc } from '../api.ts';

/** Keeps the parts of drops until the page says that one is whole; it is staged then. */
export function handedDrops(stage: StageApi['stage']): Pick<StageRpc, 'hand' | 'stageHanded'> {
  /** By the pages' names for their drops. */
  const drops = new Map<string, DroppedFile[]>();
  return {
    async hand(drop, files) {
      drops.set(drop, [...(drops.get(drop) ?? []), ...files]);
      return ok(true);
    },
    async stageHanded(drop, context, label, apart) {
      const files = drops.get(drop) ?? [];
      drops.delete(drop);
      return stage(files, context, label, false, apart);
    },
  };
}
