/** The numbered rules of docs/spec, a file a room, and the names of the tests that quote them (docs/SPEC.md says how). */
import ts from 'typescript';
import type { Figures } from './main.ts';
import { lineOf, sources, walk } from './sources.ts';

/** `- **SYNC-2** The text of the rule, ...` up to the next rule, heading or empty line. */
const RULE = /^- \*\*([A-Z][A-Z0-9]*-\d+[a-z]?)\*\*(?::)? *([^]*?)(?=\n- |\n#|\n\n|\n*$(?![^]))/gm;
const ID = /\b[A-Z][A-Z0-9]*-\d+[a-z]?\b/g;
/** No test can hold it: a person looks. */
const BY_HAND = '(by hand)';
/** Characters; a rule is one sentence. */
const LONGEST = 300;

export function ruleFigures(): Figures {
  const rules = sources('docs/spec/*.md').flatMap(({ path, text }) =>
    [...text.matchAll(RULE)].map(([, id = '', words = '']) => ({ id, words: words.replace(/\s+/g, ' ').trim(), path })),
  );
  const ids = new Set(rules.map(({ id }) => id));
  const families = new Set(rules.map(({ id }) => familyOf(id)));
  const quoted = quotedIds();
  return {
    rules: rules.length,
    rules_without_test: rules
      .filter(({ id, words }) => !quoted.has(id) && !words.includes(BY_HAND))
      .map(({ id, path }) => `${path} ${id}`),
    rules_by_hand: rules.filter(({ words }) => words.includes(BY_HAND)).map(({ id, path }) => `${path} ${id}`),
    rules_twice: rules.filter(({ id }, at) => rules.findIndex((one) => one.id === id) !== at).map(({ id }) => id),
    rules_over_300_characters: rules
      .filter(({ words }) => words.length > LONGEST)
      .map(({ id, words, path }) => `${path} ${id} (${words.length})`),
    test_ids_without_rule: [...quoted]
      .filter(([id]) => !ids.has(id) && families.has(familyOf(id)))
      .map(([id, place]) => `${place} ${id}`),
  };
}

const familyOf = (id: string): string => id.replace(/-\d+[a-z]?$/, '');

/**
 * The first place that quotes each ID. Names of tests are written where they are, or come from rows of cases: every text
 * in quotes counts, no comment does.
 */
function quotedIds(): Map<string, string> {
  const quoted = new Map<string, string>();
  for (const source of sources('tests/**/*.ts')) {
    walk(source, (node, file) => {
      if (!ts.isStringLiteralLike(node) && !ts.isTemplateHead(node)) return;
      for (const id of node.text.match(ID) ?? [])
        if (!quoted.has(id)) quoted.set(id, `${source.path}:${lineOf(node, file)}`);
    });
  }
  return quoted;
}
