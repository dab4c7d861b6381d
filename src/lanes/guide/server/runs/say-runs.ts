/** What runs say: the three lines in the server's log, word for word, and a notice to people where one is left to them. */
import { escalationSentence } from '#lanes/guide/core/run/guards.ts';
import type { RunPorts } from '#lanes/guide/core/run/ports.ts';
import type { CatalogDeps } from '#server/deps.ts';

export function sayRuns({ log, events }: Pick<CatalogDeps, 'log' | 'events'>): RunPorts['said'] {
  return ({ log: lines, escalations }) => {
    for (const { text } of lines) log.info(text);
    for (const escalation of escalations) {
      const { run: id, at } = escalation;
      events.emit({ type: 'Notice', lane: 'guide', id, sentence: escalationSentence(escalation), at });
    }
  };
}
