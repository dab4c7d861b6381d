import { MemoryFileTree } from '../fixtures/memory-file-tree.ts';
import { NodeFileTree } from '#adapters/node/file-tree.ts';
import { LINUX, MAC } from '../fixtures/rename-cases.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { fileTreeContract } from './file-tree.ts';

for (const [name, rules] of Object.entries({ Linux: LINUX, Mac: MAC }))
  fileTreeContract(`the folder in memory, as on ${name},`, async (files) => {
    const tree = new MemoryFileTree(rules, files);
    return { tree, files: () => tree.files(), [Symbol.asyncDispose]: async () => undefined };
  });

fileTreeContract('the folder of Node', async (files) => {
  const folder = await temporaryFolder(files);
  return { ...folder, tree: await NodeFileTree.open(folder.root) };
});
