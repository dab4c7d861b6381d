import { join, resolve } from 'node:path';
import { dataDirectory } from '#server/config.ts';

export const dataOption = [
  '--data <dir>',
  'data directory: runs are kept below it (otherwise ACCESSION_DATA)',
] as const;

export const directoryOf = ({ data }: { data?: string }): string => resolve(data ?? dataDirectory(process.env));

export const runsOf = (flags: { data?: string }): string => join(directoryOf(flags), 'playbooks');
