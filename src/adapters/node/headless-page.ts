/** The page that a headless browser opens for agent-eval: one model from `/model.gguf`, asked by calls from outside. */
import { EngineHost } from '../models/engine-host.ts';
import type { InferenceRequest, ModelChoice } from '../models/model-api.ts';
import { openWllama } from '../models/wllama.ts';

const host = new EngineHost(async ({ id, contextLength }) => {
  const file = await (await fetch('/model.gguf')).blob();
  return openWllama({ id, file, contextLength });
});

/** What the other side calls (headless-wllama.ts); only JSON crosses. */
const api = {
  load: (choice: ModelChoice) => host.load(choice),
  infer: (ticket: number, choice: ModelChoice, request: InferenceRequest) =>
    host.infer(ticket, choice, request, () => undefined),
  stop: (ticket: number) => host.stop(ticket),
};
export type HeadlessApi = typeof api;

declare global {
  var accessionModel: HeadlessApi | undefined;
}
globalThis.accessionModel = api;
