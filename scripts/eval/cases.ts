/**
 * Labelled cases made from a catalog: what people really drop, one function a class. The form is that of
 * `accession match --cases`, with the truth beside it. `review` and `reject` say that nothing should be committed.
 */
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import type { CaseFile, LabelledCase, Truth } from './case.types.ts';
import type { Drawn } from './draws.ts';
import type { Kind } from './kind.types.ts';
import { KINDS } from './kinds.ts';
import { seeded, type Random } from './random.ts';
import { World } from './world.ts';

/** So many cases of the classes in their proportions; a class that the catalog cannot give is left out. */
export function makeCases(catalog: CatalogFile, options: { seed: number; cases: number }): LabelledCase[] {
  const out: LabelledCase[] = [];
  const total = KINDS.reduce((sum, kind) => sum + kind.weight, 0);
  KINDS.forEach((kind, number) => {
    const world = new World(catalog, seeded(options.seed + number * 7919));
    const count = Math.max(1, Math.round((options.cases * kind.weight) / total));
    for (let n = 0; n < count; n++) {
      const drawn = kind.draw(world);
      if (drawn && drawn.drafts.length > 0) out.push(label(`${kind.cls}-${n}`, kind, drawn, world));
    }
  });
  return out;
}

function label(id: string, kind: Kind, drawn: Drawn, world: World): LabelledCase {
  const files: CaseFile[] = [];
  const truth: Truth[] = [];
  world.random.shuffle(drawn.drafts).forEach((draft, index) => {
    const file_id = `${id}-f${index}`;
    const exact =
      draft.duration_ms === undefined ? encoded(world.random, draft.track.duration_ms ?? null) : draft.duration_ms;
    files.push({ file_id, path: draft.path, duration_ms: exact, tags: draft.tags ?? {} });
    const equals = draft.absent ? [] : world.equals(draft.track);
    // Another edition has the same recording: the product asks which one, unless something names it.
    const unsaid = equals.length > 0 && !(draft.tags?.album || drawn.request);
    truth.push({
      file_id,
      track_id: draft.absent ? null : draft.track.id,
      expect: draft.expect ?? (unsaid ? 'review' : 'commit'),
      also_ok: equals,
    });
  });
  const context: LabelledCase['context'] = drawn.request
    ? { type: 'download_request', request_album_id: drawn.request }
    : { type: 'spontaneous' };
  return { case_id: id, tier: kind.tier, cls: kind.cls, context, files, truth };
}

/** Encoders add a few hundredths of a second, catalogs round. */
function encoded(random: Random, length: number | null): number | null {
  return length === null ? null : Math.max(1000, Math.round(length + 300 * random.normal()));
}
