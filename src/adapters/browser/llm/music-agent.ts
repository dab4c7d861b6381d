/** The music workflow over this workstation's replica, as the pipeline's stage runs it. */
import type { CatalogIndex } from '#core/music/search.ts';
import type { Timers } from '../../http/socket.ts';
import { createMusicEngine } from '../../llm/music-engine.ts';
import { readReplicaState } from '../meta.ts';
import type { AgentEngine } from '../pipeline/agent-engine.ts';
import type { PipelineContext } from '../pipeline/apply.ts';

export interface MusicAgentDeps extends PipelineContext {
  timers: Timers;
  index(): Promise<CatalogIndex | null>;
}

export function createMusicAgent({ db, clock, timers, index }: MusicAgentDeps): AgentEngine {
  return createMusicEngine({
    clock,
    timers,
    index,
    requests: () => db.requests.where('status').equals('pending').sortBy('created_at'),
    cursor: async () => {
      const { cursor, version } = await readReplicaState(db);
      return cursor ?? `version ${version}`;
    },
  });
}
