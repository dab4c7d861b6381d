/** A folder on the real disk, given to the page as a person gives it: dropped, and allowed. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

/** Drops the folder onto the page: what the page gets is a handle of the real folder. */
export async function dropFolder(page: Page, folder: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
  await session.detach();
}

/** Before the browser starts: the profile of a person who lets this site write into folders without being asked each time. */
export async function allowFolders(profile: string, origin: string): Promise<void> {
  const allowed = { [`${origin},*`]: { setting: 1 } };
  const exceptions = { file_system_write_guard: allowed, file_system_read_guard: allowed };
  await mkdir(join(profile, 'Default'), { recursive: true });
  await writeFile(
    join(profile, 'Default', 'Preferences'),
    JSON.stringify({ profile: { content_settings: { exceptions } } }),
  );
}
