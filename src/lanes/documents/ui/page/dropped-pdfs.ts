import { documentsAmong, formOf } from '#lanes/documents/core/written/written-file.ts';
import type { DroppedDocument } from '../client.ts';

/** The documents of a drop, PDFs also by their first bytes; two of one path stay two. */
export async function pdfsOf(files: readonly DroppedDocument[]): Promise<DroppedDocument[]> {
  const found: DroppedDocument[] = [];
  const taken = new Set<string>();
  for (const { path, file } of files) {
    if (formOf(path) === null && !(await isPdf(path, file))) continue;
    const ending = /\.[a-z0-9]{1,5}$/i.exec(path)?.[0] ?? '';
    const stem = path.slice(0, path.length - ending.length);
    let name = `${stem}${ending || '.pdf'}`;
    for (let n = 2; taken.has(name); n++) name = `${stem}_${n}${ending || '.pdf'}`;
    taken.add(name);
    found.push({ path: name, file });
  }
  return documentsAmong(found);
}

async function isPdf(path: string, file: Blob): Promise<boolean> {
  if (/\.pdf$/i.test(path)) return true;
  if (/\.[a-z0-9]{1,5}$/i.test(path)) return false;
  const head = await file
    .slice(0, 5)
    .text()
    .catch(() => '');
  return head === '%PDF-';
}
