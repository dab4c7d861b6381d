/** The types of steps as a person sees them: an icon, a word, and what colour says again. */
import CircleAlert from '@lucide/svelte/icons/circle-alert';
import CircleCheck from '@lucide/svelte/icons/circle-check';
import CircleQuestionMark from '@lucide/svelte/icons/circle-question-mark';
import CornerDownRight from '@lucide/svelte/icons/corner-down-right';
import Info from '@lucide/svelte/icons/info';
import Lightbulb from '@lucide/svelte/icons/lightbulb';
import Play from '@lucide/svelte/icons/play';
import Scale from '@lucide/svelte/icons/scale';
import Wrench from '@lucide/svelte/icons/wrench';
import type { LucideIcon } from '@lucide/svelte';
import type { ReasoningStepType } from '#core/job/job.ts';

export const STEP_LOOKS: Record<ReasoningStepType, { icon: LucideIcon; words: string; tone: string }> = {
  Context: { icon: Info, words: 'Context', tone: 'muted' },
  Thought: { icon: Lightbulb, words: 'Thought', tone: 'muted' },
  ToolCall: { icon: Wrench, words: 'Tool call', tone: 'muted' },
  ToolResult: { icon: CornerDownRight, words: 'Result', tone: 'muted' },
  Decision: { icon: Scale, words: 'Decision', tone: 'is-accent' },
  ReviewQuestion: { icon: CircleQuestionMark, words: 'Question', tone: 'is-attention' },
  ReviewAnswer: { icon: CircleCheck, words: 'Answer', tone: 'is-accent' },
  Action: { icon: Play, words: 'Action', tone: 'muted' },
  Error: { icon: CircleAlert, words: 'Error', tone: 'is-bad' },
};
