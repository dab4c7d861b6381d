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
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from './lib/say.mjs';
import { FLAGS, LINK, OURS, PACKAGES, RESULT, SOURCES } from './lib/vorbis-build.ts';
import { buildWasm, must } from './lib/wasm-build.mjs';

/** All of the library but its tools and what reads whole files. */
const PARTS =
  'analysis bitrate block codebook envelope floor0 floor1 info lookup lpc lsp mapping0 mdct psy registry res0 sharedbook smallft synthesis vorbisenc window';

await launch(() =>
  buildWasm(
    {
      ...{ room: 'src/adapters/media/vorbis', result: 'vorbis.wasm', own: ['vorbis.c'], notes: 'lib/vorbis-build.ts' },
      ...{ sources: SOURCES, packages: PACKAGES, RESULT, OURS },
      make: compile,
    },
    process.argv.slice(2),
  ),
);

/** What libogg's `configure` would have found out. @param {string} folder */
function writeTypes(folder) {
  const template = readFileSync(join(folder, 'config_types.h.in'), 'utf8');
  const types = template
    .replace(/@INCLUDE_\w+@/g, '1')
    .replace(/@(U?)SIZE(\d+)@/g, (_, unsigned, bits) => `${unsigned ? 'u' : ''}int${bits}_t`);
  writeFileSync(join(folder, 'config_types.h'), types);
}

/** @param {string} work @param {string} room */
async function compile(work, room) {
  const library = join(work, 'libvorbis-1.3.7/lib');
  const [ogg, out] = [join(work, 'libogg-1.3.5'), join(work, 'vorbis.wasm')];
  writeTypes(join(ogg, 'include/ogg'));
  const includes = [join(ogg, 'include'), join(work, 'libvorbis-1.3.7/include'), library].map((path) => `-I${path}`);
  const sources = [
    ...['bitwise', 'framing'].map((name) => join(ogg, 'src', `${name}.c`)),
    ...PARTS.split(' ').map((name) => join(library, `${name}.c`)),
    join(room, 'vorbis.c'),
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
  return out;
}
