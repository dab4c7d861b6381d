/** What is asked of a person, in words. */

interface Question {
  /** A sentence of so many. */
  words: (count: number) => string;
  /** What a person may have done to all of them, besides leaving them as they are. */
  answer: string;
}

const of = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** By the code of the fault. */
export const QUESTIONS: Readonly<Record<string, Question>> = {
  overlap: {
    words: (count) => of(count, 'programme overlaps the next one.', 'programmes overlap the next one.'),
    answer: 'End them when the next begins',
  },
  unknownid: {
    words: (count) =>
      of(
        count,
        'programme is of a channel that the guide does not declare.',
        'programmes are of channels that the guide does not declare.',
      ),
    answer: 'Declare their channels',
  },
  'duplicate GuideNumber': {
    words: (count) =>
      of(
        count,
        'channel of the lineup has a number that an earlier one has.',
        'channels of the lineup have a number that an earlier one has.',
      ),
    answer: 'Give the later ones the next free number',
  },
  'channel has guide data, not in lineup': {
    words: (count) =>
      of(count, 'channel of the guide is not in the lineup.', 'channels of the guide are not in the lineup.'),
    answer: 'Add them to the lineup',
  },
  'lineup channel without guide data': {
    words: (count) =>
      of(count, 'channel of the lineup has nothing in the guide.', 'channels of the lineup have nothing in the guide.'),
    answer: 'Leave them out of the lineup',
  },
};
