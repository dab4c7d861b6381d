import { describe, expect, it } from 'vitest';
import { refuseUnknown, toolVersions, type AskTool } from '#lanes/library/core/ask/tools/ask-tool.ts';
import { toolsWith } from '#lanes/library/core/ask/tools/yaml/read-tools.ts';
import { libraryOf } from '../ask-world.ts';
import { STATION } from '../run-world.ts';
import { called, webOf } from './tool-world.ts';

const SPECIES = `
name: species
version: 1
description: What a register says of a species
input_schema:
  type: object
  properties:
    name: {type: string}
    top_k: {type: integer, minimum: 1, maximum: 20, default: 5}
  required: [name]
output_schema:
  type: object
  properties:
    results:
      type: array
      items: {type: object, properties: {title: {type: string}, says: {type: string}}, required: [title]}
  required: [results]
sandbox: {network: true, allow: ['api.example.org']}
side_effects: false
auth: none
rate_limits: {rpm: 30}
run:
  use: http_json
  url: https://api.example.org/species?q={name}&n={top_k}
  items: /results
  text: /says
  title: /title
`;
const ANSWER = JSON.stringify({ took: 3, results: [{ id: 1, title: 'Eider', says: 'The eider dives to 20 metres.' }] });
const tool = async (text: string): Promise<AskTool> => {
  const all = await toolsWith([{ from: 'a.yaml', text }]);
  const last = all.at(-1);
  if (last === undefined) throw new Error('no tool');
  return last;
};

describe('tools as YAML files', () => {
  it('ASK-75 a file names its address, and what the answer holds of output_schema is the result; its items are evidence', async () => {
    const web = webOf({ 'https://api.example.org/species?q=a%26b%2F..%3F&n=5': { text: ANSWER } });
    const output = await called(await tool(SPECIES), { name: 'a&b/..?' }, { web, domains: ['*.example.org'] });
    expect(output).toMatchObject({
      result: { results: [{ title: 'Eider', says: 'The eider dives to 20 metres.' }] },
      docs: [{ title: 'Eider', text: 'The eider dives to 20 metres.', metadata: { path: '', url: web.asked[0] } }],
    });
    expect(JSON.stringify(output)).not.toContain('took');
  });

  it('ASK-75 unknown fields, wrong types and values out of bounds are refused before anything is asked', async () => {
    const web = webOf({});
    const one = await tool(SPECIES);
    for (const input of [{ name: 'a', evil: 1 }, { name: 7 }, { name: 'a', top_k: 21 }, {}, [], null, 'a'])
      expect(await called(one, input, { web, domains: ['*.example.org'] })).toMatchObject({
        refused: expect.any(String) as string,
      });
    expect(web.asked).toEqual([]);
  });

  it('ASK-75 an answer that is not as output_schema says is a failure', async () => {
    const web = webOf({ 'https://api.example.org/species': { text: '{"results":[{"says":"no title"}]}' } });
    expect(await called(await tool(SPECIES), { name: 'a' }, { web, domains: ['api.example.org'] })).toMatchObject({
      failed: expect.stringMatching(/otherwise than output_schema/) as string,
    });
  });

  it('ASK-76 run, configuration and tool must each let the host through', async () => {
    const pages = { 'https://api.example.org/species': { text: ANSWER } };
    const one = await tool(SPECIES);
    const ask = (domains: string[], config: string[] | null) =>
      called(one, { name: 'a' }, { web: webOf(pages, config), domains });
    expect(await ask(['api.example.org'], ['*.example.org'])).toHaveProperty('result');
    for (const [domains, config] of [
      [[], null],
      [['*.org.evil.com'], null],
      [['api.example.org'], []],
      [['api.example.org'], ['example.org']],
    ] as [string[], string[] | null][])
      expect(await ask(domains, config)).toMatchObject({ failed: expect.stringMatching(/is refused/) as string });
  });

  it('ASK-75 built-in ways take what the file makes of the input, and their own rules hold', async () => {
    const index = await libraryOf(STATION);
    const look = `name: hours\nversion: 2\ndescription: Opening hours\ninput_schema: {type: object, properties: {season: {type: string}}, required: [season]}\nrun: {use: rag_retrieve, with: {query: 'when does the station close in {season}', k: 3}}\n`;
    expect(await called(await tool(look), { season: 'winter' }, { index })).toMatchObject({
      docs: [{ metadata: { path: 'station/handbook.md' } }],
    });
    const share = `name: share\nversion: 1\ndescription: A share\ninput_schema: {type: object, properties: {of: {type: number}}, required: [of]}\nrun: {use: calculator, with: {expression: '15 % of {of}'}}\n`;
    expect(await called(await tool(share), { of: 240 })).toMatchObject({
      result: { result: '36' },
      docs: [{ text: '15 % of 240 = 36' }],
    });
    expect((await tool(share)).refuses?.({ of: 240 }, { question: 'What is 15 % of 10?', evidence: [] })).toMatch(
      /^240 stands neither/,
    );
  });

  it.each([
    ['no YAML', 'name: [', /not YAML/],
    ['an own tag', SPECIES.replace('What a register', '!!js/function What a register'), /tag/],
    ['too many aliases', `a: &a [1,1]\nb: [${'*a,'.repeat(40)}]\n`, /alias|Unknown|unknown|Invalid/i],
    ['an unknown key', `${SPECIES}\ncode: rm -rf /\n`, /code/],
    ['a way that is none', SPECIES.replace('use: http_json', 'use: shell'), /run/],
    ['plain http', SPECIES.replace('url: https:', 'url: http:'), /only https/],
    ['http_json without its sandbox', SPECIES.replace('network: true', 'network: false'), /sandbox/],
    ['a key of its own', SPECIES.replace('auth: none', 'auth: OPENAI_API_KEY'), /tools have no keys/],
    ['a field that is none', SPECIES.replace('q={name}', 'q={secret}'), /no such field/],
    [
      'a schema that lets fields through',
      SPECIES.replace('required: [name]', 'required: [name]\n  additionalProperties: true'),
      /unknown fields are always refused/,
    ],
    [
      'a reference out of the schema',
      SPECIES.replace('name: {type: string}', 'name: {$ref: "https://evil.example/s.json"}'),
      /"\$ref" is not read/,
    ],
    [
      'a pattern that may run away',
      SPECIES.replace('name: {type: string}', 'name: {type: string, pattern: "(a+)+$"}'),
      /"pattern" is not read/,
    ],
    ['a domain that is none', SPECIES.replace("'api.example.org'", "'127.0.0.1'"), /domain/],
    ['the name of a built-in tool', SPECIES.replace('name: species', 'name: rag_retrieve'), /already/],
  ])('ASK-75 a file with %s is refused with its name', async (_, text, why) => {
    await expect(toolsWith([{ from: 'a.yaml', text }])).rejects.toThrow(why);
    await expect(toolsWith([{ from: 'a.yaml', text }])).rejects.toThrow(/a\.yaml/);
  });

  it('ASK-75 one with side effects is listed and refused in a run; one of the network needs a domain', async () => {
    const writes = await toolsWith([
      { from: 'a.yaml', text: SPECIES.replace('side_effects: false', 'side_effects: true') },
    ]);
    expect(() => refuseUnknown({ allow: ['species'], domains: ['*.example.org'] }, writes)).toThrow(/may only look/);
    const reads = await toolsWith([{ from: 'a.yaml', text: SPECIES }]);
    expect(() => refuseUnknown({ allow: ['species'], domains: [] }, reads)).toThrow(/no domain may be reached/);
    expect(() => refuseUnknown({ allow: ['species'], domains: ['*'] }, reads)).toThrow(/"\*" is no domain/);
    expect(() => refuseUnknown({ allow: ['species'], domains: ['*.example.org'] }, reads)).not.toThrow();
  });

  it('ASK-75 a file that was changed is another tool, whatever version it says', async () => {
    const version = async (text: string) => toolVersions(['species'], await toolsWith([{ from: 'a.yaml', text }]));
    expect(await version(SPECIES)).toBe(await version(`# said otherwise\n${SPECIES}`));
    expect(await version(SPECIES)).not.toBe(await version(SPECIES.replace('/species', '/others')));
  });
});
