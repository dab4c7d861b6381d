/** What is asked of a person, in words. */

/** By the code of what is asked: what a person may have done to all of them, besides leaving them as they are. */
export const QUESTIONS: Readonly<Record<string, { words: string; answer: string }>> = {
  overlap: { words: 'Programmes overlap the next one.', answer: 'End them when the next begins' },
  unknownid: { words: 'Programmes are of channels that the guide does not declare.', answer: 'Declare their channels' },
  'duplicate GuideNumber': {
    words: 'Channels of the lineup have a number that an earlier one has.',
    answer: 'Give the later ones the next free number',
  },
  'channel has guide data, not in lineup': {
    words: 'Channels of the guide are not in the lineup.',
    answer: 'Add them to the lineup',
  },
  'lineup channel without guide data': {
    words: 'Channels of the lineup have nothing in the guide.',
    answer: 'Leave them out of the lineup',
  },
};
