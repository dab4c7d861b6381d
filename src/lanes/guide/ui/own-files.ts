/** Guides in a drop on Ingest: XMLTV, by its root element. */
import type { DroppedFile } from '#adapters/browser/api.ts';

/** Bytes before which its root element begins: behind a comment, perhaps. */
const HEAD = 8192;
const ROOT = /^\uFEFF?\s*(?:<\?xml[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE\s+tv\b[^>]*>|\s)*<tv[\s>]/;

async function head(file: Blob, packed: boolean): Promise<string> {
  const bytes = packed ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.slice(0, HEAD).stream();
  const reader = bytes.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader.read(); !part.done && text.length < HEAD; part = await reader.read()) text += part.value;
  await reader.cancel();
  return text.slice(0, HEAD);
}

const isGuide = async ({ path, file }: DroppedFile): Promise<boolean> =>
  /\.xml(?:tv)?(?:\.gz)?$/i.test(path) &&
  head(file, /\.gz$/i.test(path)).then(
    (text) => ROOT.test(text),
    // What cannot be read is said where files are taken in.
    () => false,
  );

export async function guidesIn(files: readonly DroppedFile[]): Promise<DroppedFile[]> {
  const found: DroppedFile[] = [];
  for (const one of files) if (await isGuide(one)) found.push(one);
  return found;
}
