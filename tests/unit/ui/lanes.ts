import { questionWords } from '#lanes/music/ui/review/question-words.ts';
import { loadParts, setLanes } from '#ui/lanes.ts';

/** The lane of music, as far as the cards of its questions need it. */
export async function withMusicQuestions(): Promise<void> {
  setLanes([{ id: 'music', questions: () => Promise.resolve(questionWords) }]);
  await loadParts('questions');
}
