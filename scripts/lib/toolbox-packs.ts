/** Loaded by vite.config.ts alone, hence TypeScript: the launchers beside it run on Node 20 as they are. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'vite';

const NAME = 'virtual:toolbox-packs';
const ROOT = join(import.meta.dirname, '../..');
const PACKAGES = join(ROOT, 'node_modules');
const PROGRAMS = join(ROOT, 'src/adapters/toolbox/browser/programs');
/** Packed files by their content: what is the same is not packed again. */
const KEPT = join(PACKAGES, '.cache/accession-toolbox');
/** Of R's file system: what a person reads, and what draws or speaks to the network. */
const NOT_OF_R =
  /\/(help|doc|html|demo|tests?)\.|translations\.|\/(fonts|proj|gdal|udunits|ssl)\b|tcltk|parallel|\.ttf$/;

interface Content {
  name: string;
  bytes: Buffer;
}

/** What each engine needs beside its program. */
const FILES: Readonly<Record<string, () => Content[] | Promise<Content[]>>> = {
  r: async () => [...filesOfR(), { name: 'r-thread.js', bytes: await programOf('r-thread') }],
  sql: () => [file('@duckdb/duckdb-wasm/dist', 'duckdb-eh.wasm')],
  python: () => ['pyodide.asm.wasm', 'python_stdlib.zip', 'pyodide-lock.json'].map((name) => file('pyodide', name)),
  ...{ cas: () => [], spice: () => [], mine: () => [], draw: () => [] },
};

const file = (folder: string, name: string): Content => ({ name, bytes: readFileSync(join(PACKAGES, folder, name)) });

function filesOfR(): Content[] {
  const dist = join(PACKAGES, 'webr/dist');
  const names = ['webr-worker.js', 'R.js', 'R.wasm', 'libRblas.so', 'libRlapack.so'];
  const within = readdirSync(join(dist, 'vfs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dist, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => !NOT_OF_R.test(name));
  return [...names, ...within.sort()].map((name) => file('webr/dist', name));
}

/** A program with all that it imports in one script, as a `data:` address can hold it. */
async function programOf(name: string): Promise<Buffer> {
  const built = await build({
    ...{ root: ROOT, configFile: false, logLevel: 'error', publicDir: false },
    define: {
      'import.meta.url': '"https://cage.invalid/program.js"',
      'process.env.NODE_ENV': '"production"',
      // A worker without an origin has none that could be read.
      'location.origin': '"https://cage.invalid"',
      'location.href': '"https://cage.invalid/program.js"',
    },
    build: {
      ...{ write: false, target: 'es2022', modulePreload: false, assetsInlineLimit: 0 },
      rolldownOptions: {
        input: join(PROGRAMS, `${name}.ts`),
        output: { codeSplitting: false },
        // Libraries name parts of Node that they do not use here.
        onwarn: () => undefined,
      },
    },
  });
  const [result] = [built].flat();
  if (result === undefined || !('output' in result)) throw new Error(`The program ${name} was not built.`);
  const [chunk] = result.output;
  return Buffer.from(chunk.code);
}

async function packOf(runtime: string): Promise<Buffer> {
  const files = [{ name: 'program.js', bytes: await programOf(runtime) }, ...((await FILES[runtime]?.()) ?? [])];
  const list = Buffer.from(JSON.stringify(files.map(({ name, bytes }) => ({ name, bytes: bytes.length }))));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(list.length);
  return packed(Buffer.concat([length, list, ...files.map(({ bytes }) => bytes)]));
}

function packed(bytes: Buffer): Buffer {
  const kept = join(KEPT, createHash('sha256').update(bytes).digest('hex'));
  try {
    return readFileSync(kept);
  } catch {
    const made = gzipSync(bytes, { level: 7 });
    mkdirSync(KEPT, { recursive: true });
    writeFileSync(kept, made);
    return made;
  }
}

/**
 * The engines of the toolbox for a browser, each with its program in one packed file that is fetched when somebody uses it:
 * `import { packs } from 'virtual:toolbox-packs'`.
 */
export function toolboxPacks(): Plugin {
  return {
    name: 'accession:toolbox-packs',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    async load(id) {
      if (id !== `\0${NAME}`) return null;
      // Kit builds the pages for a server, too, where there is no cage.
      if (this.environment.name !== 'client' || this.environment.mode !== 'build') return 'export const packs = {};';
      const places: string[] = [];
      for (const runtime of Object.keys(FILES)) {
        const source = await packOf(runtime);
        const reference = this.emitFile({ type: 'asset', name: `toolbox-${runtime}.bin`, source });
        const sha256 = createHash('sha256').update(source).digest('hex');
        places.push(
          `${runtime}: { url: import.meta.ROLLUP_FILE_URL_${reference}, bytes: ${source.length}, sha256: '${sha256}' }`,
        );
      }
      return `export const packs = { ${places.join(', ')} };`;
    },
  };
}
