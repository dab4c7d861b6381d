import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startModelServer } from '../fixtures/model-server.ts';
import { smallDisk, whereMounting } from '../fixtures/mounts.ts';
import { runProgram } from '../fixtures/program.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const BOOK = `playbook: 1
steps:
  - name: tell
    model: small
    input: birds.json
    multiple_parts: true
    instruction_user_prompt: 'tell of {this}'
    output: told.jsonl
`;
const BIRDS = Array.from({ length: 12 }, (_, n) => `bird ${n}`);
/** Characters of an answer: a few of them fill the disk. */
const LONG = 100_000;

whereMounting('a disk that fills while a run is under way', () => {
  test.each([
    { what: 'files', root: 'small', data: 'large', megabytes: 2 },
    { what: 'journal', root: 'large', data: 'small', megabytes: 4 },
  ])(
    'PLAYBOOK-91 a run of the terminal for whose $what there is no space ends with what to free, and with space asks for nothing twice',
    async ({ root, data, megabytes }) => {
      const disk = await smallDisk(megabytes);
      ends.push(() => disk.end());
      const large = `${disk.path}-large`;
      ends.push(() => rm(large, { recursive: true, force: true }));
      const at = { small: join(disk.path, 'root'), large: join(large, 'root') };
      const places = { root: at[root as keyof typeof at], data: join(data === 'small' ? disk.path : large, 'data') };
      await mkdir(places.root, { recursive: true });
      await mkdir(large, { recursive: true });
      await writeFile(join(large, 'book.yaml'), BOOK);
      await writeFile(join(places.root, 'birds.json'), JSON.stringify(BIRDS));
      // What a person would take away.
      const ballast = join(disk.path, 'ballast');
      await writeFile(ballast, new Uint8Array(0.75 * megabytes * 1024 * 1024));

      const asked: string[] = [];
      const model = await startModelServer({
        models: ['m'],
        reply({ messages }) {
          const prompt = messages.at(-1)?.content ?? '';
          // Whether it keeps to a form is asked once, before the first unit.
          if (prompt.startsWith('tell of')) asked.push(prompt);
          return { content: prompt.padEnd(LONG, '.') };
        },
      });
      ends.push(() => model.close());
      const more = ['--data', places.data, '--model-map', '*=ollama/m', '--base-url', model.url];
      const accession = async (...args: string[]) => {
        const program = await runProgram('cli/main.ts', ['playbook', ...args, ...more], {});
        return { code: await program.exited, said: program.stderr() };
      };
      const full = await accession('run', join(large, 'book.yaml'), '--root', places.root);
      expect(full.code).toBe(1);
      expect(full.said).toContain('There is no space left on the disk for');
      expect(full.said).toContain('Free space on the disk, then resume the run.');
      const run = /run (\S+)/.exec(full.said)?.[1] ?? '';
      const answered = async (): Promise<number> =>
        (await readFile(join(places.data, 'playbooks', run, 'journal.jsonl'), 'utf8')).split('"model_ended"').length -
        1;
      const kept = await answered();
      expect(kept).toBeGreaterThan(0);
      expect(kept).toBeLessThan(BIRDS.length);
      // Whole at every instant: each line of the file is a record.
      const half = await readFile(join(places.root, 'told.jsonl'), 'utf8');
      for (const line of half.trimEnd().split('\n')) expect(JSON.parse(line)).toMatch(/^tell of bird/);

      await rm(ballast);
      const before = asked.length;
      const done = await accession('resume', run);
      expect(done.said).not.toContain('no space');
      expect(done.code).toBe(0);
      expect(asked.slice(before)).toEqual(BIRDS.slice(kept).map((bird) => `tell of ${bird}`));
      const told = await readFile(join(places.root, 'told.jsonl'), 'utf8');
      expect(told.trimEnd().split('\n')).toHaveLength(BIRDS.length);
    },
  );
});
