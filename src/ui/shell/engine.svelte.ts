import { answered } from '#core/result.ts';
import { ask, endWorkersWithPage, pipeline, stage } from '../client/workers.ts';
import { databaseIsQuiet, db, onAnswersChange } from '../client/db.ts';

/** Whether this tab does the work. Another tab may: then this one shows and steers. */
class Engine {
  role = $state<'starting' | 'leader' | 'follower' | 'unsupported'>('starting');

  /** False while nothing that is stored here can be read. */
  databaseAnswers = $state(true);

  async start(): Promise<void> {
    endWorkersWithPage(() => void this.#work(), databaseIsQuiet);
    onAnswersChange((answers) => (this.databaseAnswers = answers));
    if (!(await this.#work())) return;
    if (this.role === 'leader') void this.#giveBackOnClose();
    // The tab that was reading a drop in may have been closed meanwhile.
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') void this.resumeStaging();
    });
  }

  /** Answers whether the pipeline runs, here or in another tab. */
  async #work(): Promise<boolean> {
    const started = await ask(pipeline().start());
    if (started === null) return false;
    this.role = started.role;
    await this.resumeStaging();
    return true;
  }

  async #giveBackOnClose(): Promise<void> {
    try {
      (await import('../remote/give-back.ts')).giveBackOnClose();
    } catch {
      // Not there now: a lease is over by itself, too.
    }
  }

  /** Goes on with drops that were not read in to their end; those that another tab is at are locked by it. */
  async resumeStaging(): Promise<void> {
    if (this.role === 'unsupported') return;
    const resume = async (): Promise<void> => {
      if ((await db.batches.where('state').equals('staging').count()) > 0) await stage().resume();
    };
    await ask(answered(resume));
  }
}

export const engine = new Engine();
