/**
 * An agent written in Markdown, in either of two forms that give the same record:
 *
 *   # Name                          ---
 *   description                     agentId: lisp-ingester
 *   ## Metadata                     name: LISP Ingester
 *   - **Priority**: 50              capabilities:
 *   ## Capabilities                   - ingest:lisp
 *   - ingest:*                      ---
 *   ## System Prompt                ## System Prompt
 *
 * An agent is identified by its `agentId`, else by its name (`generic-code-ingester`), never by its file's name.
 */
import type { ModelWish } from './agent.ts';
import type { AgentFacts, Capability } from './ingester.ts';

export interface AgentFile extends AgentFacts {
  model: ModelWish;
  systemPrompt: string;
  /** Where its id stands, from 1. */
  idLine: number;
}

/** Why a file is no agent, and the line that it is about. */
export interface AgentFileRefusal {
  line: number;
  message: string;
}

export type AgentFileResult = { ok: true; agent: AgentFile } | { ok: false; refusal: AgentFileRefusal };

/** UTF-16 units of a file. */
export const MAX_AGENT_FILE = 64_000;
/** As Aura has it for agents that say none. */
const DEFAULT_PRIORITY = 50;

/** A value with the line that it stands in. */
interface Said {
  value: string;
  line: number;
}
type Fields = Map<string, Said[]>;

class Refused extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Reads one file. Never throws. */
export function readAgentFile(text: string): AgentFileResult {
  try {
    if (text.length > MAX_AGENT_FILE) throw new Refused(1, 'an agent has 64,000 characters at most');
    const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
    return {
      ok: true,
      agent: agentOf(/^---\s*$/.test(lines[0] ?? '') ? withFrontMatter(lines) : withHeadings(lines, 0)),
    };
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    return { ok: false, refusal: { line: thrown.line, message: thrown.message } };
  }
}

/** Whether a text is meant as an agent, be it a good one: another is a note like any. */
export function looksLikeAgent(text: string): boolean {
  const head = text.slice(0, MAX_AGENT_FILE);
  return /^(agentid|capabilities)\s*:/im.test(head) || /^##\s+(capabilities|system prompt)\s*$/im.test(head);
}

interface Parts {
  fields: Fields;
  /** What an error about something that is not there is about. */
  top: number;
}

function withFrontMatter(lines: readonly string[]): Parts {
  const end = lines.findIndex((line, i) => i > 0 && /^(---|\.\.\.)\s*$/.test(line));
  if (end < 0) throw new Refused(1, 'the front matter that begins here is never closed by ---');
  const fields: Fields = new Map();
  let list = '';
  for (let i = 1; i < end; i++) {
    const text = withoutComment(lines[i] ?? '');
    if (text.trim() === '') continue;
    const item = /^\s*-\s+(.*)$/.exec(text);
    const pair = /^([A-Za-z][\w-]*)\s*:(?:\s+(.*))?$/.exec(text);
    if (item && list !== '') add(fields, list, unquoted(item[1] ?? ''), i + 1);
    else if (pair?.[1] !== undefined) {
      list = keyOf(pair[1]);
      if (!fields.has(list)) fields.set(list, []);
      const value = (pair[2] ?? '').trim();
      for (const one of /^\[.*\]$/.test(value) ? value.slice(1, -1).split(',') : [value])
        if (one.trim() !== '') add(fields, list, unquoted(one.trim()), i + 1);
    } else throw new Refused(i + 1, `"${text.trim().slice(0, 60)}" is neither a field nor an entry of a list`);
  }
  const body = withHeadings(lines, end + 1).fields;
  // What stands in front goes before what the text says; without a heading for it, the whole text is the prompt.
  for (const [key, said] of body) if (!fields.has(key)) fields.set(key, said);
  const prompt = lines
    .slice(end + 1)
    .join('\n')
    .trim();
  if (!body.has('systemprompt') && prompt !== '') add(fields, 'systemprompt', prompt, end + 2);
  return { fields, top: 1 };
}

/** Title, the text below it, and what stands under headings. */
function withHeadings(lines: readonly string[], from: number): Parts {
  const fields: Fields = new Map();
  let section = '';
  let top = from + 1;
  for (let i = from; i < lines.length; i++) {
    const line = lines[i] ?? '';
    // A prompt may have headings of its own, below the second level.
    const heading = /^(#{1,2})\s+(.*?)\s*#*\s*$/.exec(line);
    if (heading?.[1] === '#' && section !== 'systemprompt') {
      add(fields, 'name', heading[2] ?? '', i + 1);
      [section, top] = ['description', i + 1];
    } else if (heading?.[1] === '##') section = keyOf(heading[2] ?? '');
    else if (section === 'systemprompt' || section === 'description') add(fields, section, line, i + 1);
    else if (section === 'metadata') addMetadata(fields, line, i + 1);
    else if (section === 'capabilities' || section === 'tags') {
      const item = /^\s*[-*]\s+(.*?)\s*$/.exec(line)?.[1];
      if (item !== undefined) add(fields, section, item.replaceAll('`', ''), i + 1);
    }
  }
  return { fields, top };
}

/** `- **Priority**: 50` */
function addMetadata(fields: Fields, line: string, at: number): void {
  const pair = /^\s*[-*]\s+\**([A-Za-z][\w -]*?)\**\s*:\**\s*(.*?)\s*$/.exec(line);
  if (pair?.[1] === undefined) return;
  const key = keyOf(pair[1]);
  for (const value of key === 'tags' || key === 'capabilities' ? (pair[2] ?? '').split(',') : [pair[2] ?? ''])
    add(fields, key, value.trim().replaceAll('`', ''), at);
}

function agentOf({ fields, top }: Parts): AgentFile {
  const one = (key: string): Said | undefined => fields.get(key)?.find(({ value }) => value.trim() !== '');
  for (const key of ['address', 'url', 'baseurl', 'endpoint', 'host', 'apikey', 'key', 'token', 'secret', 'password']) {
    const said = one(key);
    if (said)
      throw new Refused(said.line, 'a file brings neither an address nor a key: they are set where the model is');
  }
  const name = one('name') ?? one('agentid') ?? one('id');
  if (!name) throw new Refused(top, 'it has no name');
  const id = one('agentid') ?? one('id') ?? { value: slug(name.value), line: name.line };
  if (!/^[\w.-]{1,80}$/.test(id.value))
    throw new Refused(id.line, `"${id.value.slice(0, 80)}" is no id: letters, digits, - and _`);
  return {
    agentId: id.value,
    idLine: id.line,
    name: name.value.trim(),
    description: textOf(fields.get('description')),
    capabilities: capabilitiesOf(fields.get('capabilities') ?? [], top),
    priority: numberOf(one('priority'), 'priority', 0, 1_000_000) ?? DEFAULT_PRIORITY,
    tags: (fields.get('tags') ?? []).map(({ value }) => value).filter((tag) => tag !== ''),
    model: {
      provider: nameOf(one('provider')),
      model: nameOf(one('model')),
      temperature: numberOf(one('temperature'), 'temperature', 0, 2),
    },
    systemPrompt: textOf(fields.get('systemprompt')),
  };
}

function capabilitiesOf(said: readonly Said[], top: number): Capability[] {
  const named = said.filter(({ value }) => value !== '');
  if (named.length === 0) throw new Refused(said[0]?.line ?? top, 'it has no capability, such as ingest:lisp');
  return named.map(({ value, line }) => {
    if (!/^ingest:[^\s:]+$/i.test(value))
      throw new Refused(line, `"${value.slice(0, 60)}" is no capability, such as ingest:lisp`);
    return value.toLowerCase() as Capability;
  });
}

function numberOf(said: Said | undefined, what: string, least: number, most: number): number | undefined {
  if (said === undefined) return undefined;
  const value = Number(said.value);
  if (/^[-+.\deE]+$/.test(said.value) && value >= least && value <= most) return value;
  throw new Refused(said.line, `the ${what} "${said.value.slice(0, 40)}" is no number from ${least} to ${most}`);
}

/** A provider or a model, by the name under which the person has set it up. */
function nameOf(said: Said | undefined): string | undefined {
  if (said !== undefined && /:\/\/|\s/.test(said.value))
    throw new Refused(said.line, `"${said.value.slice(0, 60)}" is a name of nothing that is set up`);
  return said?.value;
}

const textOf = (said: readonly Said[] | undefined): string =>
  (said ?? [])
    .map(({ value }) => value)
    .join('\n')
    .trim();

const keyOf = (said: string): string => said.toLowerCase().replaceAll(/[\s_-]+/g, '');

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');

function add(fields: Fields, key: string, value: string, line: number): void {
  const before = fields.get(key);
  if (before) before.push({ value, line });
  else fields.set(key, [{ value, line }]);
}

const unquoted = (value: string): string => /^(["'])(.*)\1$/.exec(value.trim())?.[2] ?? value.trim();

/** A comment of YAML begins with # behind a blank, outside of quotes. */
const withoutComment = (line: string): string => (/["']/.test(line) ? line : line.replace(/(^|\s)#.*$/, ''));
