/** Agents that read code by its syntax tree: one for each language, and what reads it is one table. */
import { failed } from '#core/errors.ts';
import { outputOf, type ChunkAgent } from '#core/ingest/agent.ts';
import { SourceText } from '#core/ingest/source-text.ts';
import { csharp } from './languages/csharp.ts';
import { c, cpp } from './languages/cpp.ts';
import { go } from './languages/go.ts';
import { java } from './languages/java.ts';
import { javascript, tsx, typescript } from './languages/javascript.ts';
import { bash, kotlin, lua, r } from './languages/others.ts';
import { php } from './languages/php.ts';
import { python } from './languages/python.ts';
import { ruby } from './languages/ruby.ts';
import { rust } from './languages/rust.ts';
import { outline } from './outline.ts';
import type { LanguageRules } from './rules.ts';
import type { SyntaxParser } from './syntax.ts';

/** UTF-16 units: the parser's memory never shrinks, and 5 MB on one line took a gigabyte. */
export const MAX_SYNTAX = 1_000_000;

/** Brackets in brackets: the time of a parser grows with their square. */
const MAX_DEPTH = 5_000;

/** Id, name, endings, table. */
const LANGUAGES: readonly (readonly [id: string, name: string, endings: string, rules: LanguageRules])[] = [
  ['csharp', 'C#', 'cs csx', csharp],
  ['python', 'Python', 'py pyi pyw', python],
  ['typescript', 'TypeScript', 'ts mts cts', typescript],
  ['tsx', 'TSX', 'tsx', tsx],
  ['javascript', 'JavaScript', 'js mjs cjs jsx', javascript],
  ['go', 'Go', 'go', go],
  ['rust', 'Rust', 'rs', rust],
  ['java', 'Java', 'java', java],
  ['c', 'C', 'c', c],
  ['cpp', 'C++', 'cpp cc cxx c++ hpp hh hxx h++ h ipp inl', cpp],
  ['ruby', 'Ruby', 'rb rake gemspec ru', ruby],
  ['php', 'PHP', 'php phtml php5', php],
  ['kotlin', 'Kotlin', 'kt kts', kotlin],
  ['lua', 'Lua', 'lua', lua],
  ['r', 'R', 'r', r],
  ['bash', 'Bash', 'sh bash zsh ksh', bash],
];

/** `parser`: null where the platform has none; the agents say so then. */
export function syntaxIngesters(parser: SyntaxParser | null): ChunkAgent[] {
  return LANGUAGES.map(([id, name, endings, rules]): ChunkAgent => ({
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
      const matches = await parser.matches(rules.grammar, rules.query, rules.prepare?.(content) ?? content, cancel);
      return outputOf(filePath, outline(new SourceText(content, filePath, language), matches, rules));
    },
  }));
}

function isTooDeep(content: string): boolean {
  let depth = 0;
  for (let at = 0; at < content.length && depth <= MAX_DEPTH; at++) {
    const unit = content.charCodeAt(at);
    if (unit === 40 || unit === 91 || unit === 123) depth++;
    else if ((unit === 41 || unit === 93 || unit === 125) && depth > 0) depth--;
  }
  return depth > MAX_DEPTH;
}
