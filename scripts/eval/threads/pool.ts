/** Work spread over threads: each gets the next task when it is done with one; the answers are in the tasks' order. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** More than these gain little: each thread reads the catalog for itself. */
const MOST = 4;

export interface Pool<Task, Answer> {
  /** Rejects with what a thread threw. */
  run(tasks: readonly Task[]): Promise<Answer[]>;
  close(): Promise<void>;
}

/** `program`: a module that answers each message with one. `setting`: its `workerData`. */
export function startPool<Task, Answer>(program: URL, setting: unknown): Pool<Task, Answer> {
  const workers = Array.from(
    { length: Math.min(MOST, availableParallelism()) },
    () => new Worker(program, { workerData: setting }),
  );
  return {
    run: async (tasks) => {
      const answers: Answer[] = [];
      let next = 0;
      const drive = async (worker: Worker): Promise<void> => {
        while (next < tasks.length) {
          const at = next++;
          answers[at] = await ask<Answer>(worker, tasks[at]);
        }
      };
      await Promise.all(workers.map(drive));
      return answers;
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

function ask<Answer>(worker: Worker, task: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      worker.off('message', onMessage);
      worker.off('error', onError);
    };
    const onMessage = (answer: Answer): void => {
      done();
      resolve(answer);
    };
    const onError = (error: unknown): void => {
      done();
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.postMessage(task);
  });
}
