import { baseName, extensionOf } from './paths.ts';

/** `ingest:flac`; `ingest:*` and `ingest:text` are the general ones, `ingest:os-metadata` is for files that systems drop. */
export type Capability = `ingest:${string}`;

const SYSTEM_FILES = new Set([
  'thumbs.db',
  'desktop.ini',
  '.ds_store',
  'ehthumbs.db',
  '.directory',
  'icon\r',
  '.localized',
]);

/** The capability that a file wants, by its name alone. A file without an ending wants `ingest:` and nothing. */
export function capabilityOf(path: string): Capability {
  return isSystemFile(path) ? 'ingest:os-metadata' : `ingest:${extensionOf(path)}`;
}

/** Left behind by Windows, macOS or KDE; never what a person meant to drop. */
export function isSystemFile(path: string): boolean {
  const name = baseName(path).toLowerCase();
  return SYSTEM_FILES.has(name) || name.startsWith('._') || path.split('/').includes('__MACOSX');
}
