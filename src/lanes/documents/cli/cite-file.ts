/** `documents cite FILE`: a person's text with citations and works cited. */
import { resolve } from 'node:path';
import { writeFileAtomic } from '#lanes/documents/node/text-file.ts';
import { readText } from '#cli/json-lines.ts';
import { CITEPROC_NOTICE, citeprocStyle } from '#lanes/documents/citeproc/citeproc-style.ts';
import { citeText, escapeMarkdown } from '#lanes/documents/core/cite/cite-text.ts';
import { manifestOf } from '#lanes/documents/core/manifest/manifest-store.ts';
import { manifestFiles } from '#lanes/documents/node/scan/manifest-files.ts';

export interface CiteFileFlags {
  file: string;
  /** Null: to the terminal. */
  out: string | null;
  /** The name of a style, or a .csl file. */
  style: string;
  locale: string | null;
  manifest: string;
}

/** @returns exit code: 1 where a token names what no record has. Throws AccessionError where a file cannot be read. */
export async function citeFile(
  { file, out, style, locale, manifest }: CiteFileFlags,
  say: (line: string) => void,
): Promise<number> {
  const text = await readText(file);
  const { entries } = await manifestOf(manifestFiles(resolve(manifest)));
  const made = await citeprocStyle(/\.csl$/i.test(style) ? await readText(style) : style, locale);
  const isMarkdown = !/\.txt$/i.test(file);
  const cited = citeText(text, entries, made, isMarkdown ? escapeMarkdown : undefined);
  const heading = isMarkdown ? '## Works cited' : 'Works cited';
  const works = cited.works.length === 0 ? '' : `\n\n${heading}\n\n${cited.works.join('\n\n')}\n`;
  const whole = works === '' ? cited.text : `${cited.text.trimEnd()}${works}`;
  if (out === null) say(whole.trimEnd());
  else {
    await writeFileAtomic(out, whole);
    say(`${cited.works.length} works cited, in ${out}. ${CITEPROC_NOTICE}`);
  }
  for (const value of cited.unknown) say(`unknown: ${value} (its token stays)`);
  return cited.unknown.length === 0 ? 0 : 1;
}
