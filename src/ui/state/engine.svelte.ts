import { ask, pipeline, stage } from '../client.ts';

/** Whether this tab does the work. Another tab may: then this one shows and steers. */
class Engine {
  role = $state<'starting' | 'leader' | 'follower' | 'unsupported'>('starting');

  async start(): Promise<void> {
    const started = await ask(pipeline().start());
    if (started === null) return;
    this.role = started.role;
    if (started.role === 'leader') await stage().resume();
  }
}

export const engine = new Engine();
