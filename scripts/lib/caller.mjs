/** npm runs scripts in the project's folder; what a person names on the command line is relative to theirs. */
import { resolve } from 'node:path';
import { inRoot } from './paths.mjs';

/** @returns {string} where the command was typed */
export function callerDirectory() {
  const throughNpm = process.env['npm_lifecycle_event'] !== undefined;
  return (throughNpm && process.env['INIT_CWD']) || process.cwd();
}

/** @returns {string} the absolute ACCESSION_DATA: as given, from where it was given, or `data` in the project */
export function dataDirectory() {
  const given = process.env['ACCESSION_DATA'];
  return given ? resolve(callerDirectory(), given) : inRoot('data');
}
