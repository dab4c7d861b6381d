import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** A worker beside this file with all it imports, as one script. */
export async function bundle(file: string): Promise<string> {
  const input = fileURLToPath(new URL(file, import.meta.url));
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      rollupOptions: { input, output: { codeSplitting: false } },
    },
  });
  const chunks = (Array.isArray(output) ? output : [output]).flatMap((one) => ('output' in one ? one.output : []));
  const entry = chunks.find((chunk) => chunk.type === 'chunk' && chunk.isEntry);
  if (entry?.type !== 'chunk') throw new Error('nothing was bundled');
  return entry.code;
}
