#!/usr/bin/env node
/**
 * Makes src/adapters/media/vorbis/vorbis.wasm of vorbis.c beside it and the sources of libvorbis and libogg, as they
 * are. The result is committed; neither build nor tests need a compiler.
 *
 *   apt-get install clang-19 lld-19 libclang-rt-19-dev-wasm32 wasi-libc        (Debian 12; another clang: CLANG=clang-20)
 *   node scripts/build-vorbis.mjs FOLDER [--check]
 *
 * FOLDER holds libvorbis-1.3.7.tar.gz and libogg-1.3.5.tar.xz, from https://downloads.xiph.org/releases or from
 * `apt-get source --download-only libvorbis libogg` (there as libvorbis_1.3.7.orig.tar.gz ...). With the packages that
 * lib/vorbis-build.ts names, every byte is the same; that file says what the result is. `--check` writes nothing.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';
import { launch, say, Trouble } from './lib/say.mjs';
import { FLAGS, LINK, OURS, PACKAGES, RESULT, SOURCES } from './lib/vorbis-build.ts';

/** All of the library but its tools and what reads whole files. */
const PARTS =
  'analysis bitrate block codebook envelope floor0 floor1 info lookup lpc lsp mapping0 mdct psy registry res0 sharedbook smallft synthesis vorbisenc window';
const ROOM = inRoot('src/adapters/media/vorbis');

await launch(async () => {
  const [folder, flag] = process.argv.slice(2);
  if (folder === undefined) throw new Trouble('Which folder holds the sources?', 'See the head of this file.');
  const work = mkdtempSync(join(tmpdir(), 'build-vorbis-'));
  try {
    for (const source of SOURCES) await must('tar', ['xf', sourceIn(folder, source), '-C', work]);
    writeTypes(join(work, 'libogg-1.3.5/include/ogg'));
    const made = await compile(work);
    return keep(made, flag === '--check');
  } finally {
    rmSync(work, { recursive: true });
  }
});

/**
 * @param {string} folder
 * @param {{ names: string[], sha256: string }} source
 */
function sourceIn(folder, { names, sha256 }) {
  const path = names.map((name) => join(folder, name)).find((each) => existsSync(each));
  if (path === undefined) throw new Trouble(`${names[0]} is not in ${folder}.`, 'See the head of this file.');
  if (hashOf(readFileSync(path)) !== sha256) throw new Trouble(`${path} is not what it should be.`, 'Fetch it again.');
  return path;
}

/** What libogg's `configure` would have found out. @param {string} folder */
function writeTypes(folder) {
  const template = readFileSync(join(folder, 'config_types.h.in'), 'utf8');
  const types = template
    .replace(/@INCLUDE_\w+@/g, '1')
    .replace(/@(U?)SIZE(\d+)@/g, (_, unsigned, bits) => `${unsigned ? 'u' : ''}int${bits}_t`);
  writeFileSync(join(folder, 'config_types.h'), types);
}

/** @param {string} work @returns {Promise<Buffer>} */
async function compile(work) {
  const library = join(work, 'libvorbis-1.3.7/lib');
  const [ogg, out] = [join(work, 'libogg-1.3.5'), join(work, 'vorbis.wasm')];
  const includes = [join(ogg, 'include'), join(work, 'libvorbis-1.3.7/include'), library].map((path) => `-I${path}`);
  const sources = [
    ...['bitwise', 'framing'].map((name) => join(ogg, 'src', `${name}.c`)),
    ...PARTS.split(' ').map((name) => join(library, `${name}.c`)),
    join(ROOM, 'vorbis.c'),
  ];
  await must(process.env.CLANG ?? 'clang-19', [
    ...FLAGS,
    '-Dalloca=__builtin_alloca',
    ...includes,
    ...sources,
    ...LINK,
    '-o',
    out,
  ]);
  return readFileSync(out);
}

/** @param {Buffer} made @param {boolean} only @returns {number} */
function keep(made, only) {
  const [sha256, ours] = [hashOf(made), hashOf(readFileSync(join(ROOM, 'vorbis.c')))];
  if (!only) writeFileSync(join(ROOM, 'vorbis.wasm'), made);
  say(`${made.length} bytes, sha256 ${sha256}`);
  if (sha256 === RESULT && ours === OURS) return 0;
  const packages = Object.entries(PACKAGES).map(([name, version]) => `${name} ${version}`);
  say(`lib/vorbis-build.ts has other bytes: ${RESULT}, of ${packages.join(', ')}.`);
  say(`If it is to be this one, write there: RESULT ${sha256}, OURS ${ours}, and the versions of the packages.`);
  return 1;
}

/** @param {string} command @param {string[]} args */
async function must(command, args) {
  const { code } = await run(command, args);
  if (code !== 0) throw new Trouble(`${command} ended with code ${code}.`, 'What it said stands above.');
}

/** @param {Buffer} bytes */
function hashOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
