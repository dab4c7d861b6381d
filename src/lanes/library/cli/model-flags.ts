/** The model that agents may ask, as commands of the library take it. */
import type { Command } from 'commander';

export interface ModelFlags {
  provider?: string;
  model?: string;
  baseUrl?: string;
  context: string;
}

export const withModelFlags = (command: Command): Command =>
  command
    .option('--provider <name>', 'the model that agents may ask: ollama, openai')
    .option('--model <model>', 'its name there')
    .option('--base-url <url>', "the address of the model's server")
    .option('--context <tokens>', "tokens of the model's context", '8192');
