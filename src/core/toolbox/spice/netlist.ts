/**
 * A netlist, read before ngspice sees it: what would run a script, open a file or be dropped silently is said with its line. The
 * first line is the title, a line that begins with `+` goes on with the one before, `*` and `;` begin comments.
 */
import type { Fault } from '../tool.ts';

export interface Analysis {
  kind: 'op' | 'dc' | 'ac' | 'tran';
  line: number;
}

export interface Netlist {
  analysis: Analysis;
  elements: number;
}

interface Line {
  number: number;
  words: string[];
}

/** Analyses that there are. */
const KINDS = new Set(['op', 'dc', 'ac', 'tran']);
/** Cards that say something of the circuit and reach nothing. */
const CARDS = new Set([
  'model',
  'subckt',
  'ends',
  'param',
  'temp',
  'ic',
  'nodeset',
  'global',
  'func',
  'end',
  'title',
  'options',
  'option',
  'save',
  'print',
  'plot',
]);
/** Cards that run scripts, open files or write them. */
const REFUSED = new Set([
  ...['control', 'endc', 'include', 'inc', 'lib', 'endl', 'csparam', 'write', 'exec', 'shell'],
  ...['codemodel', 'hdl', 'verilog', 'osdi', 'pre_osdi', 'source', 'load', 'cd', 'system', 'probe', 'four', 'fourier'],
]);
/** Words of cards and of options that name files. */
const FILES = /(?:^|[\s=(,])(?:file|filename|fname|wavefile)\s*=|"[^"]*[/\\]/i;

/** How many words an element needs beside its name, by its first letter. Sources may stand without a value. */
const WORDS: Readonly<Record<string, number>> = {
  ...{
    r: 3,
    c: 3,
    l: 3,
    v: 2,
    i: 2,
    d: 3,
    q: 4,
    j: 4,
    m: 5,
    z: 4,
    k: 3,
    e: 3,
    g: 3,
    f: 4,
    h: 4,
    b: 3,
    s: 5,
    w: 4,
    t: 5,
    x: 2,
    o: 5,
    u: 4,
  },
};

/** The first fault; a netlist without one is read. */
export function readNetlist(text: string): Netlist | Fault {
  const lines = linesOf(text);
  let analysis: Analysis | null = null;
  let elements = 0;
  let depth = 0;
  for (const { number, words } of lines) {
    const [first = ''] = words;
    const word = first.toLowerCase();
    if (FILES.test(words.join(' '))) return refused(number, 'files are not read');
    if (!word.startsWith('.')) {
      const wrong = elementFault(word, words);
      if (wrong !== null) return wrongLine(number, wrong);
      elements += 1;
      continue;
    }
    const card = word.slice(1);
    if (REFUSED.has(card)) return refused(number, `${word} is not allowed`);
    if (card === 'subckt') depth += 1;
    if (card === 'ends') depth -= 1;
    if (depth < 0) return wrongLine(number, '.ends without .subckt');
    if (card === 'end') break;
    if (KINDS.has(card)) {
      if (analysis !== null) return wrongLine(number, 'there is an analysis before it: one is made');
      const wrong = analysisFault(card, words);
      if (wrong !== null) return wrongLine(number, wrong);
      analysis = { kind: card as Analysis['kind'], line: number };
    } else if (!CARDS.has(card)) return wrongLine(number, `${word} is not known: .op, .dc, .ac and .tran are`);
  }
  if (depth > 0) return { field: 'netlist', message: 'a .subckt has no .ends' };
  if (elements === 0) return { field: 'netlist', message: 'holds no element' };
  if (analysis === null) return { field: 'netlist', message: 'has no analysis: .op, .dc, .ac or .tran' };
  return { analysis, elements };
}

export const isFault = (read: Netlist | Fault): read is Fault => 'field' in read;

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (const [at, raw] of text.split(/\r\n|\n|\r/).entries()) {
    if (at === 0) continue;
    const said = raw.replace(/(?:;|\$ |\/\/).*$/, '').trim();
    if (said === '' || said.startsWith('*')) {
      // A comment that some simulators take for an order.
      if (/^\*(?:#|ng_script)/i.test(said)) lines.push({ number: at + 1, words: ['.control'] });
      continue;
    }
    if (said.startsWith('+')) lines.at(-1)?.words.push(...wordsOf(said.slice(1)));
    else lines.push({ number: at + 1, words: wordsOf(said) });
  }
  return lines;
}

const wordsOf = (line: string): string[] =>
  line
    .replaceAll(/\s*=\s*/g, '=')
    .split(/[\s,]+/)
    .filter((word) => word !== '');

function elementFault(word: string, words: readonly string[]): string | null {
  const needed = Object.hasOwn(WORDS, word.charAt(0)) ? (WORDS[word.charAt(0)] ?? 0) : null;
  if (needed === null) return `"${words[0] ?? ''}" is no element that ngspice knows`;
  if (words.length - 1 < needed)
    return `"${words[0] ?? ''}" needs ${needed} words more than its name, and has ${words.length - 1}`;
  return null;
}

const NEEDED: Readonly<Record<string, number>> = { op: 0, dc: 4, ac: 4, tran: 2 };

function analysisFault(card: string, words: readonly string[]): string | null {
  const needed = NEEDED[card] ?? 0;
  return words.length - 1 < needed ? `.${card} needs ${needed} words` : null;
}

const refused = (line: number, message: string): Fault => ({
  field: 'netlist',
  message: `line ${line}: ${message}`,
  code: 'tool_refused',
});

const wrongLine = (line: number, message: string): Fault => ({ field: 'netlist', message: `line ${line}: ${message}` });
