/**
 * What a file of *Try it* is called that lost its name, by track id: of the demo's smaller request one file is in doubt,
 * so that the agent is seen at work. Its answers are recorded (adapters/llm/demo-cassette.ts) where no model is set.
 */
export const DEMO_NAMES: Readonly<Record<string, string>> = { 'tr_long-tall-sally_1-03': 'untitled.wav' };
