import { expect, test } from 'vitest';
import { documentRoom, sha256, valueOf } from '../../fixtures/document-room.ts';
import { column, makePdf } from '../../fixtures/make-pdf.ts';

const RIVERS = '10.5555/river.1';
const paper = (): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    makePdf([[{ text: `https://doi.org/${RIVERS}`, x: 72, y: 700 }, ...column(72, 650, ['Counting the rivers'])]]),
  );

test.each(['records', 'pdfs', 'nothing'] as const)(
  'DOCUMENT-85 what is confirmed waits for the server (%s), and undo takes it back',
  async (part) => {
    const it = documentRoom({ 'a.pdf': paper() }, { [RIVERS]: 'Counting the rivers' }, undefined, undefined, true);
    await it.db.settings.put({ key: 'documents_share', value: part });
    await it.open();
    const id = it.rows.get('a.pdf')?.id ?? '';
    const wish = { decided: [{ path: 'a.pdf', action: 'write' as const }], rename: true };
    const { hash } = valueOf(await it.service.preview(wish));
    const applied = valueOf(await it.service.apply(hash, () => undefined));
    const [row] = await it.db.document_outbox.toArray();
    if (part === 'nothing') return expect(row).toBeUndefined();
    const written = it.folder.disk.files.get('counting_the_rivers_2019.pdf')?.bytes ?? new Uint8Array();
    const content = part === 'pdfs' ? { sha256: sha256(written), size: written.length } : null;
    expect(row).toMatchObject({ id, record: { doi: RIVERS, source: 'crossref', content } });
    expect(row?.content?.size ?? null).toBe(content?.size ?? null);
    if (applied.as === 'folder') await it.service.undo(applied.planId, () => undefined);
    expect(await it.db.document_outbox.toArray()).toMatchObject([{ id, record: null, content: null }]);
  },
);
