#!/usr/bin/env node
/**
 * Makes src/adapters/media/archive/packed/packed.wasm of the C files beside it, libarchive's readers of 7z and RAR and
 * the decoders of liblzma. The result is committed; neither build nor tests need a compiler.
 *
 *   apt-get install clang-19 lld-19 libclang-rt-19-dev-wasm32 wasi-libc        (Debian 12; another clang: CLANG=clang-20)
 *   node scripts/build-packed.mjs FOLDER [--check]
 *
 * FOLDER holds what `apt-get source --download-only libarchive` (Debian 13) and `xz-utils` (sid) bring: the sources, and
 * Debian's mends of libarchive, which are applied, and then rar5-encrypted.patch of ours. With the packages that
 * lib/packed-build.ts names, every byte is the same; that file says what the result is. `--check` writes nothing.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FLAGS, LINK, OURS, OWN, PACKAGES, RESULT, SOURCES } from './lib/packed-build.ts';
import { launch } from './lib/say.mjs';
import { buildWasm, must } from './lib/wasm-build.mjs';

/** What reading asks of libarchive; its readers of 7z and RAR are part of packed-*.c. */
const ARCHIVE =
  'acl blake2s_ref blake2sp_ref check_magic entry entry_sparse entry_stat entry_strmode entry_xattr ppmd7 rb read string string_sprintf util virtual';
const LZMA =
  'common/common common/filter_common common/filter_decoder lz/lz_decoder lzma/lzma_decoder lzma/lzma2_decoder delta/delta_common delta/delta_decoder simple/simple_coder simple/simple_decoder simple/x86 simple/arm simple/arm64 simple/armthumb simple/ia64 simple/powerpc simple/riscv simple/sparc';
const LZMA_FOLDERS = 'api common lz lzma delta simple rangecoder check';

await launch(() =>
  buildWasm(
    {
      ...{ room: 'src/adapters/media/archive/packed', result: 'packed.wasm', own: OWN, notes: 'lib/packed-build.ts' },
      ...{ sources: SOURCES, packages: PACKAGES, RESULT, OURS },
      make: compile,
    },
    process.argv.slice(2),
  ),
);

/** @param {string} work @param {string} room */
async function compile(work, room) {
  const library = join(work, 'libarchive-3.7.4');
  const debian = join(work, 'debian/patches');
  const mends = readFileSync(join(debian, 'series'), 'utf8').split('\n').filter(Boolean);
  for (const patch of [...mends.map((name) => join(debian, name)), join(room, 'rar5-encrypted.patch')])
    await must('patch', ['-s', '-p1', '--no-backup-if-mismatch', '-d', library, '-i', patch]);
  const [archive, xz, out] = [join(library, 'libarchive'), join(work, 'xz-5.8.4/src'), join(work, 'packed.wasm')];
  const includes = [
    room,
    archive,
    ...LZMA_FOLDERS.split(' ').map((name) => join(xz, 'liblzma', name)),
    join(xz, 'common'),
  ];
  const sources = [
    ...ARCHIVE.split(' ').map((name) => join(archive, `archive_${name}.c`)),
    ...LZMA.split(' ').map((name) => join(xz, 'liblzma', `${name}.c`)),
    ...OWN.filter((name) => name.endsWith('.c')).map((name) => join(room, name)),
  ];
  await must(process.env.CLANG ?? 'clang-19', [
    ...FLAGS,
    // Asserts name their files.
    `-ffile-prefix-map=${work}=.`,
    `-ffile-prefix-map=${room}=.`,
    ...includes.map((path) => `-I${path}`),
    ...sources,
    ...LINK,
    '-o',
    out,
  ]);
  return out;
}
