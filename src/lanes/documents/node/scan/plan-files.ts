/** Plans over documents, each with what the manifest had before, as `<id>.plan.json` beside their journals. */
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { makeDirectory, readTextIfThere, writeFileAtomic } from '#adapters/node/atomic-file.ts';
import { failed } from '#core/errors.ts';
import { PlanStateSchema } from '#core/plan/plan.ts';
import { EntrySchema } from '#core/documents/manifest-form.ts';
import { ToldSchema } from '#lanes/documents/core/manifest/told.ts';
import { DocumentEntrySchema, TASK } from '#lanes/documents/core/plan/document-plan.ts';

const KeptSchema = v.object({
  plan: v.object({
    id: v.string(),
    task: v.literal(TASK),
    status: v.picklist(['pending', 'completed', 'rejected']),
    mediaFolderPath: v.string(),
    files: v.array(DocumentEntrySchema),
  }),
  sources: PlanStateSchema.entries.sources,
  manifest: v.nullable(v.string()),
  before: v.array(EntrySchema),
  /** Plans of before have none. */
  told: v.optional(ToldSchema, {}),
  /** What of it goes to the catalog server; absent: nothing. */
  share: v.optional(v.picklist(['records', 'pdfs'])),
});
export type KeptPlan = v.InferOutput<typeof KeptSchema>;

const fileOf = (plans: string, id: string): string => join(plans, `${basename(id)}.plan.json`);

/** Null where there is none. Throws AccessionError `invalid` for what is no plan. */
export async function readPlan(plans: string, id: string): Promise<KeptPlan | null> {
  const text = await readTextIfThere(fileOf(plans, id));
  if (text === null) return null;
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), KeptSchema), text);
  if (success) return output;
  throw failed('invalid', `"${fileOf(plans, id)}" is no plan over documents.`);
}

/** Replaced at once. */
export async function keepPlan(plans: string, kept: KeptPlan): Promise<void> {
  await makeDirectory(plans);
  await writeFileAtomic(fileOf(plans, kept.plan.id), `${JSON.stringify(kept, null, 2)}\n`);
}
