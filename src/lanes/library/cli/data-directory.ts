/** Where libraries are kept, as commands of the library take it. */
import { resolve } from 'node:path';
import { dataDirectory } from '#server/config.ts';

export const dataOption = [
  '--data <dir>',
  'data directory, where libraries are kept (otherwise ACCESSION_DATA)',
] as const;

export const directoryOf = (flags: { data?: string }): string => resolve(flags.data ?? dataDirectory(process.env));
