import type { MusicTypes } from '#lanes/music/core/types.ts';
import type { LaneQuestions } from '#ui/lane-ui.ts';
import CreateEntry from '../catalog/CreateEntry.svelte';
import Comparison from './Comparison.svelte';
import OptionDetails from './OptionDetails.svelte';
import { questionWords } from './question-words.ts';
import SearchOrId from './SearchOrId.svelte';

export const questions: LaneQuestions<MusicTypes> = {
  ...questionWords,
  Table: Comparison,
  Option: OptionDetails,
  Search: SearchOrId,
  Create: CreateEntry,
};
