/** The sections of Settings that belong to no lane; `words`: what else they are looked for by. */
export const SECTION_NAMES = [
  { id: 'server', label: 'Server', words: 'sign in address token people invite catalog' },
  { id: 'sync', label: 'Publishing', words: 'outbox upload waiting export bundle' },
  { id: 'model', label: 'Model', words: 'llm ollama openai webllm key provider limits' },
  { id: 'archives', label: 'Archive limits', words: 'zip rar 7z size entries' },
  { id: 'storage', label: 'Storage', words: 'space disk free originals' },
  { id: 'appearance', label: 'Appearance', words: 'theme dark light colours rail places lanes notification' },
  { id: 'about', label: 'About', words: 'version licences' },
] as const;
