import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAgentFile } from '#core/ingest/agent-file.ts';
import { ingesterRegistry } from '#core/ingest/ingesters.ts';
import { libraryAgents } from '#lanes/library/core/agents.ts';
import { agentsFromFiles, type AgentSource } from '#lanes/library/core/model/agent-files.ts';
import type { AskModel } from '#lanes/library/core/model/model-ingester.ts';
import { readAgentFolder, watchAgentFolder } from '#lanes/library/node/agent-folder.ts';
import { readBy } from './reading.ts';

/** As the contract prints it. */
const GENERIC = `# Generic Code Ingester

Parses code files using LLM understanding of language structure.

## Metadata

- **Priority**: 50
- **Provider**: ollama
- **Model**: qwen2.5-coder:7b
- **Temperature**: 0.1

## Capabilities

- ingest:*

## System Prompt

You are a code parser. Given source code, identify and extract semantic chunks.

Focus on top-level declarations. Include docstrings/comments with their symbols.
`;
const LISP = `---
agentId: lisp-ingester
name: LISP Ingester
description: Extracts semantic chunks from LISP files
capabilities:
  - ingest:lisp
  - ingest:lsp
  - ingest:cl
  - ingest:scm
priority: 80
provider: ollama
model: qwen2.5-coder:32b
tags:
  - ingester
  - lisp
---

## System Prompt

You are a LISP code analyzer. Extract semantic chunks from LISP source.

Identify:
- defun (function definitions)
`;

const agentOf = (text: string) => {
  const read = readAgentFile(text);
  if (!read.ok) throw new Error(`${read.refusal.line}: ${read.refusal.message}`);
  return read.agent;
};

describe('LIBRARY-17 both forms of an agent in Markdown', () => {
  test("the contract's sample with headings", () => {
    expect(agentOf(GENERIC)).toEqual({
      agentId: 'generic-code-ingester',
      idLine: 1,
      name: 'Generic Code Ingester',
      description: 'Parses code files using LLM understanding of language structure.',
      priority: 50,
      capabilities: ['ingest:*'],
      tags: [],
      model: { provider: 'ollama', model: 'qwen2.5-coder:7b', temperature: 0.1 },
      systemPrompt: expect.stringMatching(/^You are a code parser\.[^]*symbols\.$/) as string,
    });
  });

  test("the contract's sample with front matter", () => {
    expect(agentOf(LISP)).toEqual({
      agentId: 'lisp-ingester',
      idLine: 2,
      name: 'LISP Ingester',
      description: 'Extracts semantic chunks from LISP files',
      priority: 80,
      capabilities: ['ingest:lisp', 'ingest:lsp', 'ingest:cl', 'ingest:scm'],
      tags: ['ingester', 'lisp'],
      model: { provider: 'ollama', model: 'qwen2.5-coder:32b', temperature: undefined },
      systemPrompt: expect.stringMatching(/^You are a LISP[^]*definitions\)$/) as string,
    });
  });

  test('the same agent in the other form is the same record', () => {
    const other = `# LISP Ingester

Extracts semantic chunks from LISP files

## Metadata

- **Agent Id**: lisp-ingester
- **Priority**: 80
- **Provider**: ollama
- **Model**: qwen2.5-coder:32b
- **Tags**: ingester, lisp

## Capabilities

- ingest:lisp
- ingest:lsp
- ingest:cl
- ingest:scm
${LISP.slice(LISP.indexOf('\n## System'))}`;
    const { idLine: _, ...record } = agentOf(other.replaceAll('\n', '\r\n'));
    expect({ ...record, idLine: 2 }).toEqual(agentOf(LISP));
  });
});

describe('LIBRARY-18 a bad file is refused with its line', () => {
  test.each([
    ['no capability', '---\nname: A\ncapabilities:\n---\nx', 1, 'no capability'],
    ['no capability, with headings', '\n# A\n\n## Metadata\n', 2, 'no capability'],
    ['a priority that is no number', '---\nname: A\npriority: high\ncapabilities: [ingest:a]\n---\n', 3, 'no number'],
    ['a priority with headings', '# A\n## Metadata\n- **Priority**: 1O\n## Capabilities\n- ingest:a\n', 3, 'no number'],
    ['a capability of another kind', '---\nname: A\ncapabilities:\n  - ingest:a\n  - chat\n---\n', 5, 'no capability'],
    ['an address', '---\nname: A\nbase_url: http://x\ncapabilities: [ingest:a]\n---\n', 3, 'address'],
    ['an address for a provider', '---\nname: A\nprovider: http://x\ncapabilities: [ingest:a]\n---\n', 3, 'set up'],
    ['no name', '---\ncapabilities: [ingest:a]\n---\n', 1, 'no name'],
    ['front matter without end', '---\nname: A\n', 1, 'never closed'],
    ['no field', '---\nname: A\n{{{\n---\n', 3, 'neither'],
  ])('%s', (_, text, line, why) => {
    expect(readAgentFile(text)).toEqual({
      ok: false,
      refusal: { line, message: expect.stringContaining(why) as string },
    });
  });

  test('an id twice, and an id of the program', async () => {
    const files: AgentSource[] = [
      { file: 'b.md', text: LISP },
      { file: 'a.md', text: LISP },
      { file: 'c.md', text: LISP.replace('lisp-ingester', 'text-ingester') },
    ];
    const { agents, refused } = await agentsFromFiles(files, libraryAgents(), null);
    expect(agents.map(({ agentId }) => agentId)).toEqual(['lisp-ingester']);
    expect(refused).toEqual([
      { file: 'b.md', line: 2, message: 'the id "lisp-ingester" is taken by "a.md"' },
      { file: 'c.md', line: 2, message: 'the id "text-ingester" is taken by an agent of the program' },
    ]);
  });
});

describe('LIBRARY-19 the samples work as printed', () => {
  const reply = [{ text: '(defun f () 1)', chunkType: 'defun', symbolName: 'f', startLine: 1, endLine: 1 }];

  test.each(['lisp', 'LSP', 'cl', 'scm'])(
    'lisp-ingester.md reads .%s, by its own provider, model and prompt',
    async (ending) => {
      const asked: unknown[] = [];
      const ask: AskModel = ({ system, wish }) => {
        asked.push([wish.provider, wish.model, system.startsWith('You are a LISP code analyzer')]);
        return Promise.resolve({ text: JSON.stringify(reply), finish: 'stop' });
      };
      const { agents } = await agentsFromFiles([{ file: 'x.md', text: LISP }], [], ask);
      const read = await readBy([...libraryAgents(), ...agents], `a.${ending}`, '(defun f () 1)\n');
      expect(read.agentId).toBe('lisp-ingester');
      expect(read.chunks).toMatchObject([{ chunkType: 'function', symbolName: 'f' }]);
      expect(asked).toEqual([['ollama', 'qwen2.5-coder:32b', true]]);
    },
  );

  test('without a model the reader of Lisp goes on, and says why', async () => {
    const { agents } = await agentsFromFiles([{ file: 'x.md', text: LISP }], [], null);
    const read = await readBy([...libraryAgents(), ...agents], 'a.lisp', '(defun f () 1)\n');
    expect(read).toMatchObject({
      agentId: 'common-lisp-reader',
      warnings: [expect.stringContaining('lisp-ingester could not')],
    });
  });

  test('generic-code-ingester.md stands behind the built-in one for any code', async () => {
    const { agents } = await agentsFromFiles([{ file: 'x.md', text: GENERIC }], [], null);
    const chain = ingesterRegistry([{ ingesters: libraryAgents() }, { ingesters: agents }]).chain('ingest:pas');
    expect(chain.map(({ agentId }) => agentId)).toEqual([
      ...['llm-code-ingester', 'generic-code-ingester', 'text-ingester', 'fallback-ingester'],
    ]);
  });
});

test('LIBRARY-20 a folder of agents: dropped, changed and deleted files are in force at the next look', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agents-'));
  const seen: string[][] = [];
  const watch = watchAgentFolder(folder, async (files) => {
    const { agents } = await agentsFromFiles(files, [], null);
    seen.push(agents.map(({ agentId, priority }) => `${agentId} ${priority}`));
  });
  try {
    expect(await watch.look()).toBe(true);
    expect(await watch.look()).toBe(false);
    await writeFile(join(folder, 'x.md'), LISP);
    await writeFile(join(folder, 'notes.txt'), LISP);
    await watch.look();
    await writeFile(join(folder, 'x.md'), LISP.replace('priority: 80', 'priority: 7'));
    await watch.look();
    await rm(join(folder, 'x.md'));
    await watch.look();
    expect(seen).toEqual([[], ['lisp-ingester 80'], ['lisp-ingester 7'], []]);
    expect(await readAgentFolder(join(folder, 'none'))).toEqual([]);
  } finally {
    watch.stop();
  }
});
