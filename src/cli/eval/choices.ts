/** What can be said on the command line; by itself, so that other commands load nothing of agent-eval. */
export const PROVIDERS = ['scripted', 'scripted-obedient', 'recorded', 'wllama', 'ollama', 'openai'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

export const STRATEGIES = ['auto', 'choice', 'tools'] as const;
