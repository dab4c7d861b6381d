import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';

/** A launcher's own part: JavaScript that Node 20 runs as it is. */
const SCRIPT = new URL('../../../scripts/lib/compress.mjs', import.meta.url).href;
const { compressApp } = (await import(SCRIPT)) as {
  compressApp(build: string, cache: string, kind: 'named by content' | 'others'): Promise<number>;
};

test('APP-5 files of the app are compressed once for each content, and pages apart from what is named by its content', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'accession-compress-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [build, cache] = [join(folder, 'build'), join(folder, 'cache')];
  const immutable = join(build, '_app/immutable');
  await mkdir(immutable, { recursive: true });
  const script = 'const answer = 42;\n'.repeat(100);
  await writeFile(join(immutable, 'a.js'), script);
  await writeFile(join(immutable, 'small.js'), 'x');
  await writeFile(join(immutable, 'cover.png'), script);
  await writeFile(join(build, '200.html'), script);
  await writeFile(join(build, 'service-worker.js'), script);

  expect(await compressApp(build, cache, 'named by content')).toBe(1);
  expect((await readdir(immutable)).sort()).toEqual(['a.js', 'a.js.br', 'a.js.gz', 'cover.png', 'small.js']);
  expect(await readdir(build)).not.toContain('200.html.br');
  expect(brotliDecompressSync(await readFile(join(immutable, 'a.js.br'))).toString()).toBe(script);
  expect(gunzipSync(await readFile(join(immutable, 'a.js.gz'))).toString()).toBe(script);

  expect(await compressApp(build, cache, 'others')).toBe(1);
  expect(gunzipSync(await readFile(join(build, '200.html.gz'))).toString()).toBe(script);

  // Firefox installs none that comes compressed.
  expect(await readdir(build)).not.toContain('service-worker.js.gz');

  // A kept form is taken as it is, under whatever name; those of contents that are gone are removed.
  const kept = join(cache, 'named-by-content');
  const [brotli = ''] = (await readdir(kept)).filter((name) => name.endsWith('.br'));
  await writeFile(join(kept, brotli), 'kept');
  await rm(join(immutable, 'a.js'));
  await writeFile(join(immutable, 'b.js'), script);
  await compressApp(build, cache, 'named by content');
  expect(await readFile(join(immutable, 'b.js.br'), 'utf8')).toBe('kept');
  await writeFile(join(immutable, 'b.js'), `${script}// changed`);
  await compressApp(build, cache, 'named by content');
  expect(await readdir(kept)).toHaveLength(2);
  expect(await readdir(kept)).not.toContain(brotli);
});
