/**
 * What the terminal approved for the catalog server, a file a document in `documents/outbox` of the data directory:
 *
 *   DOCUMENT-99 written when a plan was carried out or taken back, sent by `documents scan --server` and `documents send`,
 *               gone when the server has it
 */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { makeDirectory, readTextIfThere, writeFileAtomic } from '#adapters/node/atomic-file.ts';
import type { ManifestEntry } from '#core/documents/manifest-form.ts';
import { sha256Of } from '#core/plan/replace-content.ts';
import type { Clock } from '#core/ports.ts';
import type { Result } from '#core/result.ts';
import type { Told } from '#lanes/documents/core/manifest/told.ts';
import type { DocumentPlan } from '#lanes/documents/core/plan/document-plan.ts';
import { approvedOf, takenBackOf } from '#lanes/documents/core/share/approved.ts';
import { LARGEST_CONTENT, sharedOf, SharedDocumentSchema } from '#lanes/documents/core/share/shared-document.ts';
import { isPdfPath } from '#lanes/documents/core/written/written-file.ts';
import { AGAIN_MS, sendShared } from '#lanes/documents/http/send-shared.ts';
import type { SharedClient } from '#lanes/documents/http/shared-client.ts';

const RowSchema = v.object({
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  approved_at: v.number(),
  record: v.nullable(SharedDocumentSchema),
  /** Where the PDF lies that goes with it; null: the record alone. */
  pdf: v.nullable(v.string()),
  refused: v.nullable(v.string()),
  next_at: v.number(),
});
export type OutboxFile = v.InferOutput<typeof RowSchema>;

const fileOf = (outbox: string, id: string): string => join(outbox, `${id}.json`);

async function keep(outbox: string, row: OutboxFile): Promise<void> {
  await makeDirectory(outbox);
  await writeFileAtomic(fileOf(outbox, row.id), `${JSON.stringify(row, null, 2)}\n`);
}

/** The records of a plan that was carried out. `pdfs`: their PDFs go with them. The same again changes nothing. */
export async function queueDone(
  outbox: string,
  { plan, told, pdfs, now }: { plan: DocumentPlan; told: Told; pdfs: boolean; now: number },
): Promise<void> {
  for (const { id, record, to } of approvedOf(plan)) {
    const bytes = pdfs && isPdfPath(to) ? await readFile(to).catch(() => null) : null;
    const goes = bytes !== null && bytes.length <= LARGEST_CONTENT ? bytes : null;
    const content = goes === null ? null : { sha256: await sha256Of(goes), size: goes.length };
    const shared = sharedOf(record, { source: told[id]?.source ?? null, content, approved_at: now });
    await keep(outbox, {
      ...{ id, approved_at: now, record: shared, pdf: content === null ? null : to, refused: null, next_at: 0 },
    });
  }
}

/** What was taken back: what the manifest said before counts again there, else nothing. */
export async function queueUndone(
  outbox: string,
  { plan, before, now }: { plan: DocumentPlan; before: readonly ManifestEntry[]; now: number },
): Promise<void> {
  for (const { id, record } of takenBackOf(plan, before, now))
    await keep(outbox, { id, approved_at: now, record, pdf: null, refused: null, next_at: 0 });
}

/** What waits, oldest first; a file that is none is left where it is. */
export async function waitingIn(outbox: string): Promise<OutboxFile[]> {
  const names = await readdir(outbox).catch(() => []);
  const rows: OutboxFile[] = [];
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), RowSchema), await readTextIfThere(join(outbox, name)));
    if (read.success) rows.push(read.output);
  }
  return rows.toSorted((a, b) => a.approved_at - b.approved_at);
}

/** Sends what is due. A failure that is not about a row ends it. */
export function sendOutbox(outbox: string, client: SharedClient, clock: Clock): Promise<Result<{ sent: number }>> {
  const isSame = async ({ id, approved_at }: OutboxFile): Promise<boolean> =>
    (await waitingIn(outbox)).some((one) => one.id === id && one.approved_at === approved_at);
  return sendShared(
    {
      async due() {
        const rows = (await waitingIn(outbox)).filter(({ next_at }) => next_at <= clock.now());
        return Promise.all(rows.map(async (row) => ({ ...row, ...(await withContent(row)) })));
      },
      done: async (row) => void ((await isSame(row)) && (await rm(fileOf(outbox, row.id), { force: true }))),
      async refused(row, refused) {
        const { id, approved_at, record, pdf } = row;
        if (await isSame(row))
          await keep(outbox, { id, approved_at, record, pdf, refused, next_at: clock.now() + AGAIN_MS });
      },
    },
    client,
  );
}

/** The PDF as it was approved; one that is another by now stays here, and its record goes alone. */
async function withContent({
  record,
  pdf,
}: OutboxFile): Promise<{ record: OutboxFile['record']; content: Blob | null }> {
  if (record?.content == null || pdf === null) return { record, content: null };
  const bytes = await readFile(pdf).catch(() => null);
  const isThat = bytes !== null && (await sha256Of(bytes)) === record.content.sha256;
  if (!isThat) return { record: { ...record, content: null }, content: null };
  return { record, content: new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }) };
}
