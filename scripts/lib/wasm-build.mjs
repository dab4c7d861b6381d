/** What the scripts that build our WebAssembly share: sources that are what they should be, and a result that is kept. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRoot } from './paths.mjs';
import { run } from './run.mjs';
import { say, Trouble } from './say.mjs';

/**
 * @typedef {{ names: readonly string[], sha256: string }} Source an archive, under any of its names
 * @typedef {object} Build
 * @property {string} room folder of the result and of our own sources
 * @property {string} result name of the .wasm there
 * @property {readonly string[]} own names of our own sources there
 * @property {string} notes file that says what comes out, for a person
 * @property {readonly Source[]} sources
 * @property {Readonly<Record<string, string>>} packages
 * @property {string} RESULT SHA-256 of the result
 * @property {string} OURS SHA-256 of our sources, one after the other
 * @property {(work: string, room: string) => Promise<string>} make compiles in `work`, where the sources are; answers the path of the result
 */

/** Unpacks, compiles, keeps. @param {Build} build @param {readonly string[]} words of the command line @returns {Promise<number>} */
export async function buildWasm(build, [folder, flag]) {
  if (folder === undefined) throw new Trouble('Which folder holds the sources?', 'See the head of the script.');
  const work = mkdtempSync(join(tmpdir(), 'build-wasm-'));
  try {
    for (const source of build.sources) await must('tar', ['xf', sourceIn(folder, source), '-C', work]);
    const made = readFileSync(await build.make(work, inRoot(build.room)));
    return keep(build, made, flag === '--check');
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** @param {string} folder @param {Source} source */
function sourceIn(folder, { names, sha256 }) {
  const path = names.map((name) => join(folder, name)).find((each) => existsSync(each));
  if (path === undefined) throw new Trouble(`${names[0]} is not in ${folder}.`, 'See the head of the script.');
  if (hashOf(readFileSync(path)) !== sha256) throw new Trouble(`${path} is not what it should be.`, 'Fetch it again.');
  return path;
}

/** @param {Build} build @param {Buffer} made @param {boolean} only @returns {number} */
function keep({ room, result, own, notes, packages, RESULT, OURS }, made, only) {
  const ours = hashOf(Buffer.concat(own.map((name) => readFileSync(join(inRoot(room), name)))));
  const sha256 = hashOf(made);
  if (!only) writeFileSync(join(inRoot(room), result), made);
  say(`${made.length} bytes, sha256 ${sha256}`);
  if (sha256 === RESULT && ours === OURS) return 0;
  const versions = Object.entries(packages).map(([name, version]) => `${name} ${version}`);
  say(`${notes} has other bytes: ${RESULT}, of ${versions.join(', ')}.`);
  say(`If it is to be this one, write there: RESULT ${sha256}, OURS ${ours}, and the versions of the packages.`);
  return 1;
}

/** @param {string} command @param {string[]} args */
export async function must(command, args) {
  const { code } = await run(command, args);
  if (code !== 0) throw new Trouble(`${command} ended with code ${code}.`, 'What it said stands above.');
}

/** @param {Buffer} bytes */
function hashOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
