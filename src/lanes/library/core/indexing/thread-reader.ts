/** What a thread does that reads files for a program: reading-pool.ts is the other side. */
import { AccessionError, failed, toFailure } from '#core/errors.ts';
import { yieldsChunks, type IngestAgent } from '#core/ingest/agent.ts';
import { createRegistry, type IngesterRegistry } from '#core/ingest/registry.ts';
import type { Result } from '#core/result.ts';
import { agentsOf, type AgentParts } from '../model/live-agents.ts';
import type { ModelReply } from '../model/model-reply.ts';
import type { AskModel } from '../model/model-ingester.ts';
import type { IndexingPorts } from './ports.ts';
import { readFile } from './read-file.ts';
import type { FromThread, ToThread } from './thread-messages.ts';

type Using = Pick<IndexingPorts, 'clock' | 'timers' | 'decode'> & Pick<AgentParts, 'own'>;

/** Answers what hears messages. One file at a time: the other side sees to that. */
export function threadReader(using: Using, post: (message: FromThread) => void): (message: ToThread) => void {
  let agents: Promise<IngesterRegistry> = Promise.reject(failed('internal', 'No agents were given.'));
  agents.catch(() => undefined);
  let [job, questions] = [0, 0];
  let skip: Readonly<Record<string, string>> = {};
  const waiting = new Map<number, (reply: Result<ModelReply>) => void>();

  const ask: AskModel = async ({ system, user, wish }) => {
    const question = (questions += 1);
    const reply = await new Promise<Result<ModelReply>>((resolve) => {
      waiting.set(question, resolve);
      post({ kind: 'ask', job, question, system, user, wish });
    });
    if (!reply.ok) throw new AccessionError(reply.failure);
    return reply.value;
  };

  /** Says that it begins, and does not where it was ended over this file before. */
  const said = (agent: IngestAgent): IngestAgent => {
    if (!yieldsChunks(agent)) return agent;
    return {
      ...agent,
      execute(context, cancel) {
        const why = skip[agent.agentId];
        if (why !== undefined) throw failed('file_unreadable', why);
        post({ kind: 'began', job, agentId: agent.agentId });
        return agent.execute(context, cancel);
      },
    };
  };

  async function read({ known, bytes, ...rest }: ToThread & { kind: 'read' }): Promise<void> {
    ({ job, skip } = rest);
    try {
      const registry = await agents;
      const file = await readFile({ ...using, registry: () => registry }, known, bytes);
      post({ kind: 'read', job: rest.job, file });
    } catch (thrown) {
      post({ kind: 'failed', job: rest.job, failure: toFailure(thrown) });
    }
  }

  return (message) => {
    if (message.kind === 'agents') {
      const parts = { own: using.own, files: message.files, ask: message.asks ? ask : null };
      agents = agentsOf(parts).then(({ registry }) => createRegistry(registry.agents.map(said)));
    } else if (message.kind === 'reply') {
      waiting.get(message.question)?.(message.reply);
      waiting.delete(message.question);
    } else void read(message);
  };
}
