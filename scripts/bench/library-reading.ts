/**
 * What reading files into chunks costs, beside the parser alone. Times are the processor's, of all of the process, so
 * that they say the same on a machine that others use; what is measured and the parser take turns, in rounds.
 */
import { Language, Parser } from 'web-tree-sitter';
import { ingesterRegistry } from '#core/ingest/ingesters.ts';
import { readChunks } from '#core/ingest/read-chunks.ts';
import { libraryAgents } from '#lanes/library/core/agents.ts';
import type { Grammar } from '#lanes/library/core/syntax/syntax.ts';
import { readingPorts } from '#lanes/library/node/reading-ports.ts';
import { nodeParser, syntaxFiles } from '#lanes/library/node/syntax-files.ts';
import { Words } from './library-files.ts';

/** Files of one round, of 4 KB. */
const FILES = 300;
/** `first` are not counted: in them the platform compiles the parser and this code, which takes about 1,000 files. */
const ROUNDS = { first: 3, counted: 7 };

/** Files a second. */
export async function benchReading(): Promise<Record<string, number>> {
  const words = new Words(1);
  await Parser.init({ locateFile: () => syntaxFiles.engine() });
  const csharp = await turns('cs', () => words.csharp(), await parserOf('csharp'));
  const python = await turns('py', () => words.python(), await parserOf('python'));
  const text = await turns('txt', () => words.text(), null);
  return {
    csharp_files_s: csharp.read,
    csharp_parse_only_files_s: csharp.parse,
    treesitter_files_s: python.read,
    treesitter_parse_only_files_s: python.parse,
    text_files_s: text.read,
  };
}

async function parserOf(grammar: Grammar): Promise<Parser> {
  return new Parser().setLanguage(await Language.load(await syntaxFiles.grammar(grammar)));
}

async function turns(ending: string, make: () => string, parser: Parser | null) {
  const registry = ingesterRegistry([{ ingesters: libraryAgents({ syntax: nodeParser() }) }]);
  const files = Array.from({ length: FILES }, (_, n) => ({ path: `f${n}.${ending}`, content: decoded(make()) }));
  const [read, parse]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS.first + ROUNDS.counted; round++) {
    let begun = process.cpuUsage();
    for (const file of files) await readChunks(registry, file, readingPorts);
    read.push(rateSince(begun));
    begun = process.cpuUsage();
    for (const { content } of files) parser?.parse(content)?.delete();
    parse.push(rateSince(begun));
  }
  return { read: median(read.slice(ROUNDS.first)), parse: median(parse.slice(ROUNDS.first)) };
}

function rateSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun);
  return (FILES * 1e6) / (user + system);
}

const median = (rates: readonly number[]): number => rates.toSorted((a, b) => a - b)[Math.floor(rates.length / 2)] ?? 0;

/** In one piece, as what was read from a disk; put together from pieces it is copied at its first reading. */
const decoded = (text: string): string => Buffer.from(text).toString();
