import { outputOf, type ChunkAgent } from '#core/ingest/agent.ts';
import { SourceText } from '#core/ingest/source-text.ts';
import { loadOnce } from '#core/load-once.ts';
import type { Dialect } from './reader.ts';

const load = loadOnce(() => import('./lisp-chunks.ts'));

const DIALECTS: readonly (readonly [dialect: Dialect, name: string, endings: string])[] = [
  ['lisp', 'Common Lisp', 'lisp lsp cl l asd'],
  ['scheme', 'Scheme', 'scm ss sld rkt'],
  ['emacs-lisp', 'Emacs Lisp', 'el'],
  ['clojure', 'Clojure', 'clj cljs cljc edn'],
];

/** Behind a person's own agent for such files (80). */
export const lispIngesters: readonly ChunkAgent[] = DIALECTS.map(([dialect, name, endings]): ChunkAgent => ({
  agentId: `${dialect === 'lisp' ? 'common-lisp' : dialect}-reader`,
  name: `${name} reader`,
  description: `Reads ${name} by its brackets: what is defined, not what it means.`,
  priority: 90,
  capabilities: endings.split(' ').map((ending) => `ingest:${ending}` as const),
  tags: ['ingester', 'lisp', dialect],
  version: '1',
  async execute({ properties: { filePath, content, language } }) {
    const { lispChunks } = await load();
    return outputOf(filePath, lispChunks(new SourceText(content, filePath, language), dialect));
  },
}));
