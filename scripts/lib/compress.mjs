/**
 * Files of the built app beside their Brotli and gzip forms (`NAME.br`, `NAME.gz`), which the server and static hosts give to
 * browsers that take them. What was compressed once is kept by its content: of most builds only little has changed.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ENDINGS = new Set(['.js', '.css', '.wasm', '.svg', '.json', '.html', '.webmanifest', '.txt']);
/** Firefox (ESR 153, over http) installs no service worker whose script came compressed: its offline start would be gone. */
const AS_IT_IS = 'service-worker.js';
/** Bytes of a file from which it is worth it. */
const LEAST = 1024;
/** Bytes from which the last few percent would take minutes. */
const LARGE = 1024 * 1024;
/** Of the kept forms; another way to compress is another number. */
const VERSION = 1;

/** @type {{ ending: string, pack: (bytes: Buffer) => Promise<Buffer> }[]} */
const FORMS = [
  {
    ending: '.br',
    pack: (bytes) =>
      promisify(brotliCompress)(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: bytes.length < LARGE ? 11 : 9,
          [constants.BROTLI_PARAM_LGWIN]: bytes.length < LARGE ? 22 : 24,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      }),
  },
  { ending: '.gz', pack: (bytes) => promisify(gzip)(bytes, { level: 9 }) },
];

/**
 * Whether a name carries the hash of its content: the same name never means other bytes.
 *
 * @param {string} path
 */
const isForGood = (path) => path.split(/[\\/]/).includes('immutable');

/**
 * @param {string} build the folder of the built app
 * @param {string} cache where the forms are kept by content, in a folder for each kind; those of no file are removed
 * @param {'named by content' | 'others'} kind of files. Others are compressed before the build is served: an old form of a new
 * page would be given away
 * @returns {Promise<number>} files that were compressed, kept ones included
 */
export async function compressApp(build, cache, kind) {
  const kept = join(cache, kind.replaceAll(' ', '-'));
  await mkdir(kept, { recursive: true });
  const paths = (await readdir(build, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && ENDINGS.has(extname(entry.name)) && entry.name !== AS_IT_IS)
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => isForGood(relative(build, path)) === (kind === 'named by content'));
  /** @type {Set<string>} */
  const used = new Set();
  let done = 0;
  for (const path of paths) {
    const bytes = await readFile(path);
    if (bytes.length < LEAST) continue;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await Promise.all(FORMS.map((form) => give(form, bytes, path, join(kept, keptName(sha256, form.ending)))));
    for (const { ending } of FORMS) used.add(keptName(sha256, ending));
    done += 1;
  }
  for (const name of await readdir(kept)) if (!used.has(name)) await rm(join(kept, name), { force: true });
  return done;
}

/** @param {string} sha256 @param {string} ending */
const keptName = (sha256, ending) => `${VERSION}-${sha256}${ending}`;

/**
 * @param {(typeof FORMS)[number]} form
 * @param {Buffer} bytes
 * @param {string} path
 * @param {string} before where its form is kept
 */
async function give({ ending, pack }, bytes, path, before) {
  const packed = await readFile(before).catch(async () => {
    const made = await pack(bytes);
    await whole(before, (to) => writeFile(to, made));
    return made;
  });
  // What does not get smaller is given as it is.
  if (packed.length < bytes.length) await whole(`${path}${ending}`, (to) => writeFile(to, packed));
}

/**
 * A reader sees all of a file, or none.
 *
 * @param {string} path
 * @param {(to: string) => Promise<void>} write
 */
async function whole(path, write) {
  const part = `${path}.${process.pid}.part`;
  try {
    await write(part);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
