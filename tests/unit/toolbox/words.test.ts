/** What pages say of the tools. */
import { expect, test } from 'vitest';
import { CONNECTORS } from '#core/toolbox/connectors/connectors.ts';
import { FREE_CODE } from '#core/toolbox/free-code-names.ts';
import { TOOLS } from '#core/toolbox/tools.ts';
import { aboutOf, GROUPS, SOURCES, titleOf } from '#ui/parts/tool-words.ts';

test('UI-280 every tool has its words and its group, every source is offered with hosts that it asks', () => {
  const all = [...TOOLS, ...CONNECTORS];
  expect(all.filter((tool) => titleOf(tool.name) === tool.name || aboutOf(tool) === tool.description)).toEqual([]);
  expect(GROUPS.flatMap(({ names }) => names).sort()).toEqual(TOOLS.map(({ name }) => name).sort());
  expect(SOURCES.map(({ name }) => name)).toEqual(CONNECTORS.map(({ name }) => name));
  for (const { connector } of CONNECTORS) {
    const said = SOURCES.find(({ name }) => name === connector.name)?.hosts ?? null;
    if (connector.hosts === null) expect(said, connector.name).toBeNull();
    else expect(connector.hosts, connector.name).toEqual(expect.arrayContaining([...(said ?? ['none'])]));
  }
});

test('TOOLBOX-14 the tools that run free code are those that are named as such', () => {
  expect(TOOLS.flatMap(({ name, code }) => (code === undefined ? [] : [name])).sort()).toEqual([...FREE_CODE].sort());
});
