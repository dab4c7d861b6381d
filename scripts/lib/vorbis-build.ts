/**
 * What the committed src/adapters/media/vorbis/vorbis.wasm was made of, and what came out. A test holds the files
 * against this; `node scripts/build-vorbis.mjs FOLDER` makes it anew and says what to write here.
 */

/** The Debian 12 packages that compiled and linked it, by `dpkg-query -W`. Others give other bytes. */
export const PACKAGES = {
  'clang-19': '1:19.1.7-3~deb12u1',
  'lld-19': '1:19.1.7-3~deb12u1',
  'libclang-rt-19-dev-wasm32': '1:19.1.7-3~deb12u1',
  'wasi-libc': '0.0~git20220510.9886d3d-2',
};

/** The archives, under either of their names. */
export const SOURCES = [
  {
    names: ['libvorbis-1.3.7.tar.gz', 'libvorbis_1.3.7.orig.tar.gz'],
    sha256: '0e982409a9c3fc82ee06e08205b1355e5c6aa4c36bca58146ef399621b0ce5ab',
  },
  {
    names: ['libogg-1.3.5.tar.xz', 'libogg_1.3.5.orig.tar.xz'],
    sha256: 'c4d91be36fc8e54deae7575241e03f4211eb102afb3fc0775fbbc1b740016705',
  },
];

/** SHA-256 of vorbis.c, our part of the source. */
export const OURS = 'd59e6471fa82f05303b562c9298035deff687c86fa90290d3e72e46f8f68de0a';

/** -O2: -O3 makes it larger and was slower. */
export const FLAGS = '--target=wasm32-wasi -O2 -ffast-math -msimd128 -mbulk-memory -mnontrapping-fptoint -w'.split(' ');

/**
 * libvorbis takes arrays as long as a codebook from the stack (`alloca`), and a header may ask for megabytes. The stack
 * stands before all else: what is too much for it traps at the end of the memory instead of writing over tables.
 */
export const LINK = [
  ...'-mexec-model=reactor -Wl,--strip-all -Wl,--gc-sections -lm'.split(' '),
  ...'-Wl,-z,stack-size=1048576 -Wl,--stack-first'.split(' '),
];

/** SHA-256 of vorbis.wasm. */
export const RESULT = 'c57839f77d51f7040e5c9bfe79b081631447327db2f8bdde4b4866135566d0d0';
