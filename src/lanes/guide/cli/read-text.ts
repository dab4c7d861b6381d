import { readFile } from 'node:fs/promises';
import { existing } from './check-command.ts';

/** A file's text. Throws AccessionError with a sentence where it is not there or cannot be read. */
export const readText = (path: string): Promise<string> => existing(path, (file) => readFile(file, 'utf8'));
