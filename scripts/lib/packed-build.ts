/**
 * What the committed src/adapters/media/archive/packed/packed.wasm was made of, and what came out. A test holds the
 * files against this; `node scripts/build-packed.mjs FOLDER` makes it anew and says what to write here.
 */

/** The Debian 12 packages that compiled and linked it, by `dpkg-query -W`. Others give other bytes. */
export { PACKAGES } from './vorbis-build.ts';

/** As `apt-get source --download-only` of Debian 13 (libarchive) and sid (xz-utils) brings them. */
export const SOURCES = [
  {
    names: ['libarchive_3.7.4.orig.tar.xz', 'libarchive-3.7.4.tar.xz'],
    sha256: 'f887755c434a736a609cbd28d87ddbfbe9d6a3bb5b703c22c02f6af80a802735',
  },
  {
    names: ['libarchive_3.7.4-4+deb13u1.debian.tar.xz'],
    sha256: '72da9703b642c6c9bc0432704f1ad14919c57f743336396b5f8aefaf9bf79874',
  },
  {
    names: ['xz-utils_5.8.4.orig.tar.xz', 'xz-5.8.4.tar.xz'],
    sha256: '4ce24038fd4221e0d13bc1a2de7a4db56e90b92b3bf75321f6c14be73f65de4b',
  },
];

/** Our part of the source, in the folder of the result. */
export const OWN = [
  'config.h',
  'packed.h',
  'packed.c',
  'packed-7z.c',
  'packed-rar.c',
  'packed-rar5.c',
  'rar5-encrypted.patch',
];

/** SHA-256 of these, one after the other. */
export const OURS = 'e32d716f7beee4f7bbaf194e82d04f878a8acbc99e8b396a8bf4935fd1ce6064';

export const FLAGS = '--target=wasm32-wasi -O2 -mbulk-memory -w -DHAVE_CONFIG_H'.split(' ');

/**
 * The stack stands before all else: what is too much for it traps instead of writing over tables. Half a gigabyte is the
 * most that an archive's dictionary may take.
 */
export const LINK = [
  ...'-mexec-model=reactor -Wl,--strip-all -Wl,--gc-sections'.split(' '),
  ...'-Wl,-z,stack-size=1048576 -Wl,--stack-first -Wl,--max-memory=536870912'.split(' '),
];

/** SHA-256 of packed.wasm. */
export const RESULT = '1d185b990e9f09e1e573847e86e4b4997e80ee0773c26bf95643dba1f0197daa';
