import { expect, test } from 'vitest';
import { SPONTANEOUS, StageBench } from '../../fixtures/stage.ts';

const companion = (path: string, kind: string, sha256: string | null = null) => ({
  ...{ path, kind, sha256, text: null, outcome: `sent to ${kind}` },
});

test('UI-331 the batch says where what came along went last, by its paths or all of a kind, and keeps nothing for where it was', async () => {
  const bench = new StageBench();
  const stage = bench.tab();
  const apart = [companion('a.md', 'library'), companion('b.md', 'library'), companion('c.pdf', 'document', 'ab')];
  const made = await stage.stage([], SPONTANEOUS, 'A drop', false, apart);
  if (!made.ok) throw new Error(made.failure.message);
  const id = made.value.batch_id;
  const said = async () =>
    (await bench.batch(id)).companions.map(({ path, outcome, sha256 }) => [path, outcome, sha256]);
  await stage.sendElsewhere(id, { paths: ['b.md'], kind: 'library' }, { kind: 'guide', outcome: 'sent to Guide' });
  await stage.sendElsewhere(id, { paths: null, kind: 'document' }, { kind: 'left out', outcome: 'left out' });
  expect(await said()).toEqual([
    ['a.md', 'sent to library', null],
    ['b.md', 'sent to Guide', null],
    ['c.pdf', 'left out', null],
  ]);
  await stage.sendElsewhere('nobody', { paths: null, kind: 'library' }, { kind: 'guide', outcome: 'sent to Guide' });
  expect(await said()).toHaveLength(3);
});
