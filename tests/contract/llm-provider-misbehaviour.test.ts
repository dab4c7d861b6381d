/**
 * Misbehaving models and servers, over real sockets and through the executor: in both framings, whole and cut into
 * random fragments, killed after any journal entry and resumed, a workflow reaches the same end and asks nothing
 * twice. The thousands of runs without a wire are in tests/unit/agent.
 */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOllama } from '#adapters/llm/ollama.ts';
import { createOpenAi } from '#adapters/llm/openai.ts';
import { AgentToolRegistry } from '#core/agent/tools/registry.ts';
import { runUntilBlocked } from '#core/agent/workflow/executor.ts';
import { DEFAULT_LIMITS, type ExecutorPorts } from '#core/agent/workflow/ports.ts';
import { startWorkflow } from '#core/agent/workflow/start.ts';
import type { Strategy, Workflow } from '#core/agent/workflow/workflow.ts';
import { BOARD, DOOR_WORKFLOW, type Board, type Door, type Open } from '../fixtures/door-workflow.ts';
import { startModelServer, type ModelServer } from '../fixtures/model-server.ts';
import type { Protocol, Reply } from '../fixtures/model-wire.ts';

const CONTEXT = 4096;
/** Milliseconds; nobody waits for it: time is over when the script hangs (Stage), and never because a machine is slow. */
const PATIENCE = 300_000;
/** Milliseconds after which half an answer has surely been sent, or not: either is a hang. */
const HANG = 15;

const letters = fc.constantFrom('A', 'B', 'C', 'NONE', 'ASK', 'Q', '');
const good = letters.map((answer): Reply => ({ content: JSON.stringify({ answer, why: 'It fits – ключ.' }) }));
const args = fc.constantFrom<unknown>(
  { key: 'K1' },
  { key: 'K2' },
  { key: 'key-1' },
  { key: 7 },
  {},
  { key: 'K1', x: 1 },
  { door: 'front' },
  '{"key": ',
);
const called = fc
  .tuple(fc.constantFrom('take_key', 'look_at_board', 'burn_house', ''), args, fc.integer({ min: 1, max: 9 }))
  .map(([name, given, pieces]): Reply => ({ toolCalls: [{ name, arguments: given }], pieces }));
const bad = fc.constantFrom<Reply>(
  { content: 'I would take the brass one.' },
  { content: '```json\n{"answer":"B","why":"fenced"}\n```' },
  { content: '{"answer":"B","wh', finish: 'length' },
  { content: 'null' },
  { content: '{"answer":["A"],"why":null}' },
  { content: '' },
  { content: `{"answer":${' '.repeat(900)}`, pieces: 60 },
  { content: '{"answer":"A","why":"cut"}', unfinished: true },
  { content: '{"answer":"A","why":"dies"}', dieAt: 0.5 },
  { content: '{"answer":"A","why":"dies"}', dieAt: 0 },
  { content: '{"answer":"A","why":"hangs"}', hang: 'mid-stream' },
  { hang: 'before-headers' },
  { status: 429, retryAfter: '2', error: 'slow down' },
  { status: 429, retryAfter: '86400', error: 'come back tomorrow' },
  { status: 500, error: 'kaboom' },
  { status: 400, error: 'the input length exceeds the context length' },
  { content: '{"answer":"A","why":"front dropped"}', promptTokens: CONTEXT, answerTokens: 9 },
  { content: 'x', errorInStream: 'runner died' },
  { raw: '<html>portal</html>', contentType: 'text/html' },
  { thinking: 'hm', content: '<think>x</think>{"answer":"C","why":"y"}' },
);
const scripts = fc.array(
  fc.oneof({ weight: 3, arbitrary: good }, { weight: 2, arbitrary: called }, { weight: 5, arbitrary: bad }),
  {
    minLength: 1,
    maxLength: 6,
  },
);

/** Whatever the seed, both ways of hanging and of dying are among the runs. */
const HANGING: Reply[] = [
  { hang: 'before-headers' },
  { content: '{"answer":"A","why":"hangs"}', hang: 'mid-stream' },
  { content: '{"answer":"B","why":"x"}' },
  { content: '{"answer":"A","why":"dies"}', dieAt: 0.7 },
  { status: 429, retryAfter: '2' },
];

describe('misbehaviour over sockets', () => {
  for (const protocol of ['ollama', 'openai'] as const) {
    for (const strategy of ['choice', 'tools'] as const) {
      it(`LLM-44 AGENT-16 ${protocol}, ${strategy}: any script ends within its bounds, the same after every crash`, async () => {
        const whole = await Stage.open(protocol, strategy, null);
        const cut = await Stage.open(protocol, strategy, 21);
        try {
          await fc.assert(
            fc.asyncProperty(scripts, fc.integer({ min: 0, max: 4 }), async (script, offset) => {
              const first = await whole.run(script, null);
              const asked = whole.asked();
              expect(first.end.state.type).toMatch(/^(?:Completed|AwaitingReview|Failed)$/);
              expect(first.end.spent.iterations).toBeLessThanOrEqual(DEFAULT_LIMITS.iterations);

              const inPieces = await cut.run(script, null);
              expect(shape(inPieces.end)).toEqual(shape(first.end));

              for (const [n, saved] of first.saved.entries()) {
                if (n % 5 !== offset) continue;
                const resumed = await whole.run(script, saved);
                expect(shape(resumed.end)).toEqual(shape(first.end));
                expect(whole.asked() + answersIn(JSON.parse(saved) as Workflow)).toBe(asked);
              }
            }),
            { numRuns: 7, examples: [[HANGING, 1]] },
          );
        } finally {
          await Promise.all([whole.close(), cut.close()]);
        }
      });
    }
  }

  it('LLM-47 AGENT-16 cancelled while it waits for the model, a workflow stays as it is and goes on later', async () => {
    const stage = await Stage.open('ollama', 'choice', 3);
    try {
      const ask: Reply = { content: '{"answer":"ASK","why":"two fit"}' };
      const controller = new AbortController();
      stage.onRequest = (n) => n === 1 && controller.abort();
      const stopped = await stage.run([ask, { hang: 'before-headers' }], null, controller.signal);
      expect(stopped.end.state.type).toBe('Thinking');
      stage.onRequest = () => undefined;
      const resumed = await stage.run([ask, ask], JSON.stringify(stopped.end));
      expect(resumed.end.state.type).toBe('AwaitingReview');
      expect(stage.asked()).toBe(1);
    } finally {
      await stage.close();
    }
  });
});

/** One server and one provider; the script's place goes by what the journal has heard already. */
class Stage {
  onRequest: (n: number) => unknown = () => undefined;
  readonly #protocol: Protocol;
  readonly #strategy: Strategy;
  #server: ModelServer | null = null;
  #script: readonly Reply[] = [];
  #at = 0;
  #asked = 0;
  readonly #timers = new Set<() => void>();
  #hanging: ReturnType<typeof setTimeout> | undefined;

  constructor(protocol: Protocol, strategy: Strategy) {
    this.#protocol = protocol;
    this.#strategy = strategy;
  }

  static async open(protocol: Protocol, strategy: Strategy, fragmentSeed: number | null): Promise<Stage> {
    const stage = new Stage(protocol, strategy);
    stage.#server = await startModelServer({ fragmentSeed, reply: () => stage.#next() });
    return stage;
  }

  #next(): Reply {
    this.onRequest(this.#at);
    this.#asked += 1;
    const reply = this.#script[this.#at];
    this.#at += 1;
    if (reply?.hang !== undefined) this.#hanging = setTimeout(() => this.#timeIsOver(), HANG);
    if (reply !== undefined) return reply;
    return this.#strategy === 'choice'
      ? { content: '{"answer":"A","why":"the first"}' }
      : { toolCalls: [{ name: 'take_key', arguments: { key: 'K1' } }] };
  }

  #timeIsOver(): void {
    for (const run of [...this.#timers]) run();
  }

  /** Completions since the run began. */
  asked(): number {
    return this.#asked;
  }

  async run(
    script: readonly Reply[],
    from: string | null,
    signal?: AbortSignal,
  ): Promise<{ end: Workflow<Door, Open>; saved: string[] }> {
    const workflow = from === null ? this.#start() : (JSON.parse(from) as Workflow<Door, Open>);
    clearTimeout(this.#hanging);
    this.#script = script;
    this.#at = answersIn(workflow);
    this.#asked = 0;
    const saved: string[] = [];
    let now = 1000;
    const options = {
      baseUrl: this.#server?.url ?? '',
      model: 'tiny:latest',
      contextLength: CONTEXT,
      clock: { now: () => 0 },
      timers: {
        set: (run: () => void) => {
          this.#timers.add(run);
          return run;
        },
        clear: (handle: unknown) => void this.#timers.forEach((run) => run === handle && this.#timers.delete(run)),
      },
      capabilities: { nativeTools: true },
    };
    const ports: ExecutorPorts<Board> = {
      provider: this.#protocol === 'ollama' ? createOllama(options) : createOpenAi(options),
      context: BOARD,
      clock: { now: () => (now += 1) },
      sha256: (text) => Promise.resolve(createHash('sha256').update(text).digest('hex')),
      wait: () => Promise.resolve(),
      save: (kept) => {
        saved.push(JSON.stringify(kept));
        return Promise.resolve();
      },
      perform: () => Promise.resolve(),
      ...(signal === undefined ? {} : { signal }),
    };
    const end = await runUntilBlocked(workflow, {
      definition: DOOR_WORKFLOW,
      registry: new AgentToolRegistry(DOOR_WORKFLOW.tools),
      ports,
      options: { temperature: 0, timeoutMs: PATIENCE, limits: DEFAULT_LIMITS, price: { in: 0, out: 0 } },
    });
    return { end, saved };
  }

  #start(): Workflow<Door, Open> {
    const model = `${this.#protocol}/tiny`;
    return startWorkflow(
      DOOR_WORKFLOW,
      { door: 'front' },
      { id: 'w1', now: 1000, strategy: this.#strategy, model, recorded: false, seed: 5 },
    );
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }
}

function answersIn(workflow: Workflow): number {
  return workflow.journal.filter((entry) => entry.kind === 'model_ended' || entry.kind === 'model_failed').length;
}

/** What must be the same: all but the times, and the words of failures (a socket dies with different ones). */
function shape(workflow: Workflow<Door, Open>): unknown {
  return JSON.parse(
    JSON.stringify({ state: workflow.state, journal: workflow.journal }, (name, value: unknown) =>
      ['at', 'milliseconds', 'message', 'sentence', 'retryAfterMs', 'error'].includes(name) ? undefined : value,
    ),
  );
}
