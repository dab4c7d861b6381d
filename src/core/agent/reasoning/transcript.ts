/** The transcript's line: `documents-ask-playbooks-tools.md`, "Message & Trace Model". */
export interface TranscriptLine {
  /** ISO 8601. */
  ts: string;
  iter: number;
  role: 'planner' | 'tool' | 'system';
  event: 'plan' | 'tool_call' | 'tool_result' | 'finalize' | 'error';
  content: Record<string, unknown>;
}
