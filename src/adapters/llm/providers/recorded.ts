import { RECORDED } from '#core/agent/llm/providers.ts';
import type { RecordingProvider, OpenedInNode } from './provider.ts';

export const recorded: RecordingProvider = {
  id: RECORDED,
  label: 'Recorded answers',
  about: 'What a model said before, and nothing else.',
  place: 'recording',
  takesContextLength: false,
  whatLeaves: () => 'Nothing is sent to any model.',
  /** `settings.llm_model`: path of the cassette. */
  openInNode: async ({ llm_model: path }) => (await import('#in-node/cassette-file.ts')).openCassette(path),
};

/** The same model; `close` also writes what it answered into a cassette at that path. In Node. */
export async function recordToFile(opened: OpenedInNode, path: string): Promise<OpenedInNode> {
  return (await import('#in-node/cassette-file.ts')).recordToFile(opened, path);
}
