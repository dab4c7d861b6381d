import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compareVersions, findingsOf, readAdvisories } from '../../../scripts/sbom/advisories.ts';
import { billOf, partsOf, type Lock } from '../../../scripts/sbom/lock.ts';

const root = new URL('../../../', import.meta.url);
const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as Lock;
const run = (...args: string[]) =>
  execFileSync(process.execPath, [fileURLToPath(new URL('scripts/sbom/main.ts', root)), ...args], { encoding: 'utf8' });

interface Bill {
  components: {
    name: string;
    version: string;
    purl: string;
    scope: string;
    licenses?: unknown[];
    hashes?: unknown[];
  }[];
}

test('SAFE-26 the bill of materials names every pinned package with version, licence and hash, offline and the same each time', () => {
  const bill = JSON.parse(run()) as Bill;
  expect(bill).toEqual(billOf(lock));
  const { dependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as Record<string, object>;
  for (const [name, version] of Object.entries(dependencies ?? {}))
    expect(
      bill.components.find((one) => one.name === name && one.version === version),
      name,
    ).toMatchObject({
      scope: 'required',
      licenses: [expect.anything()],
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    });
  expect(bill.components.find(({ name }) => name === 'vitest')).toMatchObject({ scope: 'excluded' });
  expect(bill.components.find(({ name }) => name === '@hono/node-server')?.purl).toMatch(
    /^pkg:npm\/%40hono\/node-server@/,
  );
});

test('SAFE-26 docs/THIRD_PARTY.md names the licence of everything that is shipped', () => {
  const text = readFileSync(new URL('docs/THIRD_PARTY.md', root), 'utf8');
  const stated = partsOf(lock).filter(({ dev }) => !dev);
  const licences = new Set(stated.flatMap(({ licence }) => licence?.replace(/[()]/g, '').split(/ AND | OR /) ?? []));
  for (const licence of licences) expect(text, licence).toContain(licence);
  // Who states none is named with what its licence file says.
  for (const { name, licence } of stated) if (licence === null) expect(text).toContain(`\`${name}\``);
});

test('SAFE-27 versions are in the order of semver', () => {
  const order =
    '0.9.9 1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.0.1 1.2.0 1.10.0 2.0.0';
  const versions = order.split(' ');
  expect(versions.toReversed().sort(compareVersions)).toEqual(versions);
  expect(compareVersions('1.0.0+a', '1.0.0+b')).toBe(0);
});

test('SAFE-27 known vulnerabilities are found in a copy of OSV: between introduced and fixed, up to the last affected, by version', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'accession-osv-'));
  try {
    const of = (name: string, more: object) => ({ package: { ecosystem: 'npm', name }, ...more });
    const range = (...events: object[]) => ({ ranges: [{ type: 'SEMVER', events }] });
    const write = (id: string, affected: object[], more = {}) =>
      writeFileSync(join(directory, `${id}.json`), JSON.stringify({ id, summary: `of ${id}`, affected, ...more }));
    write('A', [of('one', range({ introduced: '0' }, { fixed: '1.2.3' }))]);
    write('B', [of('one', range({ introduced: '1.3.0' }, { last_affected: '1.4.0' }))]);
    write('C', [of('two', { versions: ['2.0.0'] })]);
    write('D', [of('two', { versions: ['2.0.0'] })], { withdrawn: '2020-01-01T00:00:00Z' });
    write('E', [{ package: { ecosystem: 'PyPI', name: 'two' }, versions: ['2.0.0'] }]);
    write('F', [of('three', range({ introduced: '2.0.0' }, { fixed: '2.1.0' }, { introduced: '3.0.0' }))]);
    const part = (name: string, version: string) => ({ name, version, licence: null, integrity: null, dev: false });
    const advisories = await readAdvisories(directory);
    const found = (name: string, version: string) => findingsOf([part(name, version)], advisories).map(({ id }) => id);
    expect(['1.2.2', '1.2.3', '1.2.3-rc.1', '1.3.0', '1.4.0', '1.4.1'].map((version) => found('one', version))).toEqual(
      [['A'], [], ['A'], ['B'], ['B'], []],
    );
    expect([found('two', '2.0.0'), found('two', '2.0.1')]).toEqual([['C'], []]);
    expect(['1.9.0', '2.0.5', '2.1.0', '3.0.0', '9.0.0'].map((version) => found('three', version).length)).toEqual([
      0, 1, 0, 1, 1,
    ]);
    expect(run('--advisories', directory)).toContain('0 known (0 in what is shipped), of 6 advisories.');
    write('G', [of('hono', { versions: [partsOf(lock).find(({ name }) => name === 'hono')?.version] })]);
    expect(() => run('--advisories', directory)).toThrow(/SHIPPED +hono|Command failed/);
  } finally {
    rmSync(directory, { recursive: true });
  }
  await expect(readAdvisories(tmpdir() + '/accession-no-such-place')).rejects.toThrow();
});
