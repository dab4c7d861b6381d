import type { MusicTypes } from '#lanes/music/core/types.ts';
import type { LaneQuestions } from '#ui/lane-ui.ts';
import CreateEntry from '../catalog/CreateEntry.svelte';
import Comparison from './Comparison.svelte';
import EditionPolicy from './EditionPolicy.svelte';
import OptionDetails from './OptionDetails.svelte';
import { takesRows } from './row-drag.ts';
import { rowPicks } from './row-picks.svelte.ts';
import { giveToQuestion } from './to-question.ts';
import { adjustedAnswer } from './row-words.ts';
import { questionWords } from './question-words.ts';
import SearchOrId from './SearchOrId.svelte';

export const questions: LaneQuestions<MusicTypes> = {
  ...questionWords,
  adjusted: (review, option) => adjustedAnswer(review, option, rowPicks.of(review.id)),
  takesRows: (review) => takesRows(review.id, (from) => void giveToQuestion(from.review, [from.job], review)),
  Table: Comparison,
  Option: OptionDetails,
  Policy: EditionPolicy,
  Search: SearchOrId,
  Create: CreateEntry,
};
