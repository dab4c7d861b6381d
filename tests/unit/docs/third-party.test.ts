import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const readJson = (path: string): unknown => JSON.parse(read(path));

/** What the table of docs/THIRD_PARTY.md says: package -> version and licence. */
function documented(): Map<string, { version: string; licence: string }> {
  const rows = read('docs/THIRD_PARTY.md').matchAll(
    /^\| \[([^\]]+)\]\(\S+\)\s+\| (\d\S*)\s+\| ([^|]+?)\s+\| [^|]+\|$/gm,
  );
  return new Map([...rows].map(([, name = '', version = '', licence = '']) => [name, { version, licence }]));
}

describe('docs/THIRD_PARTY.md', () => {
  const { dependencies } = readJson('package.json') as { dependencies: Record<string, string> };
  const table = documented();

  it('DOCS-1 names every runtime dependency with its pinned version, and nothing else', () => {
    const versions = Object.fromEntries([...table].map(([name, { version }]) => [name, version]));
    expect(versions).toEqual(dependencies);
  });

  it('DOCS-2 names the licence that each package states itself', () => {
    for (const name of Object.keys(dependencies)) {
      const { license } = readJson(`node_modules/${name}/package.json`) as { license: string };
      const offered = license.replace(/[()]/g, '').split(' OR ');
      expect(offered, name).toContain(table.get(name)?.licence.split(' (')[0]);
    }
  });

  it('DOCS-2 offers the source of the ffmpeg core, which its licence asks for, and names all that is in it', () => {
    const text = read('docs/THIRD_PARTY.md');
    expect(text).toContain('complete corresponding source');
    expect(text).toContain('at least three years');
    expect(text).toContain(`(core ${dependencies['@ffmpeg/core']})`);
    expect(text.match(/^\| \[[^\]]+\]\(\S+\)\s+\| [^|]+\| [^|]+\|$/gm)).toHaveLength(15);
  });
});
