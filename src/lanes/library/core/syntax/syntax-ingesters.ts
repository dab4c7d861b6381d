/** Agents that read code by its syntax tree: one for each language, and what reads it is one table. */
import { failed } from '#core/errors.ts';
import { outputOf, type ChunkAgent } from '#core/ingest/agent.ts';
import { SourceText } from '#core/ingest/source-text.ts';
import { loadOnce } from '#core/load-once.ts';
import type { LanguageRules } from './rules.ts';
import type { SyntaxParser } from './syntax.ts';

/** UTF-16 units: the parser's memory never shrinks, and 5 MB on one line took a gigabyte. */
export const MAX_SYNTAX = 1_000_000;

/** Brackets in brackets: the time of a parser grows with their square. */
const MAX_DEPTH = 5_000;

/** Id, name, endings, and how to load the table. */
const LANGUAGES: readonly (readonly [id: string, name: string, endings: string, load: () => Promise<LanguageRules>])[] =
  [
    ['csharp', 'C#', 'cs csx', async () => (await import('./languages/csharp.ts')).csharp],
    ['python', 'Python', 'py pyi pyw', async () => (await import('./languages/python.ts')).python],
    ['typescript', 'TypeScript', 'ts mts cts', async () => (await import('./languages/javascript.ts')).typescript],
    ['tsx', 'TSX', 'tsx', async () => (await import('./languages/javascript.ts')).tsx],
    ['javascript', 'JavaScript', 'js mjs cjs jsx', async () => (await import('./languages/javascript.ts')).javascript],
    ['go', 'Go', 'go', async () => (await import('./languages/go.ts')).go],
    ['rust', 'Rust', 'rs', async () => (await import('./languages/rust.ts')).rust],
    ['java', 'Java', 'java', async () => (await import('./languages/java.ts')).java],
    ['c', 'C', 'c', async () => (await import('./languages/cpp.ts')).c],
    ['cpp', 'C++', 'cpp cc cxx c++ hpp hh hxx h++ h ipp inl', async () => (await import('./languages/cpp.ts')).cpp],
    ['ruby', 'Ruby', 'rb rake gemspec ru', async () => (await import('./languages/ruby.ts')).ruby],
    ['php', 'PHP', 'php phtml php5', async () => (await import('./languages/php.ts')).php],
    ['kotlin', 'Kotlin', 'kt kts', async () => (await import('./languages/others.ts')).kotlin],
    ['lua', 'Lua', 'lua', async () => (await import('./languages/others.ts')).lua],
    ['r', 'R', 'r', async () => (await import('./languages/others.ts')).r],
    ['bash', 'Bash', 'sh bash zsh ksh', async () => (await import('./languages/others.ts')).bash],
  ];

/** `parser`: null where the platform has none; the agents say so then. */
export function syntaxIngesters(parser: SyntaxParser | null): ChunkAgent[] {
  return LANGUAGES.map(([id, name, endings, loadRules]): ChunkAgent => {
    const load = loadOnce(() => Promise.all([loadRules(), import('./outline.ts')]));
    return {
      agentId: `${id}-ingester`,
      name: `${name} ingester`,
      description: `Reads ${name} by its syntax tree (tree-sitter): what is declared, not what it means.`,
      priority: 10,
      capabilities: endings.split(' ').map((ending) => `ingest:${ending}` as const),
      tags: ['ingester', 'tree-sitter', id],
      version: '1',
      async execute({ properties: { filePath, content, language } }, cancel) {
        if (parser === null) throw failed('file_unreadable', 'there is no parser of code here');
        if (content.length > MAX_SYNTAX) throw failed('too_large', 'code above 1 MB is read as text');
        if (isTooDeep(content)) throw failed('file_unreadable', 'its brackets are nested more than 5,000 deep');
        const [rules, { outline }] = await load();
        const matches = await parser.matches(rules, rules.prepare?.(content) ?? content, cancel);
        return outputOf(filePath, outline(SourceText.of(content, filePath, language), matches, rules));
      },
    };
  });
}

function isTooDeep(content: string): boolean {
  if (content.length <= MAX_DEPTH) return false;
  let depth = 0;
  for (let at = 0; at < content.length && depth <= MAX_DEPTH; at++) {
    const unit = content.charCodeAt(at);
    if (unit === 40 || unit === 91 || unit === 123) depth++;
    else if ((unit === 41 || unit === 93 || unit === 125) && depth > 0) depth--;
  }
  return depth > MAX_DEPTH;
}
