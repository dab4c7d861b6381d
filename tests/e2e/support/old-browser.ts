/** A browser that version 0.1 was used in: what it stored lies in its database and its file system before the app starts. */
import type { Page } from '@playwright/test';
import { oldDatabase, putOldDatabase } from '../../fixtures/old-version.ts';
import type { CatalogServer } from './catalog-server.ts';

/** `settings`: what is set otherwise than the fixture says, such as addresses. */
export async function fillBrowser(page: Page, server: CatalogServer, settings: Record<string, unknown>): Promise<void> {
  const { version, tables } = await oldDatabase('browser');
  // Of this origin, and no page of the app.
  await page.goto(`${server.origin}/v1/health`);
  await page.evaluate(putFiles, blobsOf(tables));
  const none = { rows: [] };
  const rows = Object.entries(settings).map(([key, value]) => ({ key, value }));
  const { blobs, blob_parts, video_folders, settings: set, ...others } = tables;
  if (!blobs || !blob_parts || !video_folders || !set) throw new Error('the fixture has other tables');
  await page.evaluate(putOldDatabase, {
    name: 'accession',
    version,
    tables: {
      ...others,
      settings: { ...set, rows: [...set.rows, ...rows] },
      // Where there is a file system of the origin, files are there.
      ...{ blobs: { ...blobs, ...none }, blob_parts: { ...blob_parts, ...none } },
      // A folder cannot be given to a page by a test's script.
      video_folders: { ...video_folders, ...none },
    },
  });
}

type Tables = Awaited<ReturnType<typeof oldDatabase>>['tables'];

/** Base64 by the blob's name. */
function blobsOf({ blobs, blob_parts }: Tables): Record<string, string> {
  const text = (value: unknown): string =>
    typeof value === 'object' && value !== null ? String(Object.values(value)[0]) : '';
  const whole = (blobs?.rows ?? []).map((row) => {
    const parts = (blob_parts?.rows ?? []).filter((part) => part['of'] === of(row['parts']));
    const bytes = row['blob'] === null ? parts.map((part) => Buffer.from(text(part['bytes']), 'base64')) : [];
    return [String(row['sha256']), row['blob'] === null ? Buffer.concat(bytes).toString('base64') : text(row['blob'])];
  });
  return Object.fromEntries(whole) as Record<string, string>;
}

const of = (parts: unknown): unknown =>
  typeof parts === 'object' && parts !== null && 'of' in parts ? parts.of : null;

/** Runs in the page: as the old app kept its blobs. */
async function putFiles(files: Record<string, string>): Promise<void> {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle('sha256', { create: true });
  for (const [name, base64] of Object.entries(files)) {
    const file = await folder.getFileHandle(name, { create: true });
    const writing = await file.createWritable();
    await writing.write(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
    await writing.close();
  }
}
