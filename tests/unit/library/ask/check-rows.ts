/** Sentences beside what a source says: `carried` ones say no more and nothing else, `refused` ones do. */

export interface CheckRows {
  /** Of the section in which the quote stands. */
  heading: string;
  quote: string;
  carried: readonly string[];
  refused: Readonly<Record<string, readonly string[]>>;
}

export const CHECK_ROWS: readonly CheckRows[] = [
  {
    heading: 'The tram of Lindow',
    quote: 'The first tram leaves the depot at 04:50 and reaches the harbour in 22 minutes.',
    carried: [
      'The first tram leaves the depot at 04:50.',
      'the first tram leaves the depot at 4:50',
      'The first tram reaches the harbour in 22 minutes.',
      'The first tram leaves the depot at 04:50 and reaches the harbour in 22 min.',
    ],
    refused: {
      number: ['The first tram leaves the depot at 05:50.', 'The first tram reaches the harbour in 25 minutes.'],
      unit: ['The first tram reaches the harbour in 22 hours.'],
      opposite: ['The last tram leaves the depot at 04:50.', 'The first tram enters the depot at 04:50.'],
      negation: ['The first tram does not leave the depot at 04:50.'],
      added: ['The first tram leaves the old depot at 04:50.', 'The first red tram leaves the depot at 04:50.'],
      swap: ['The first tram reaches the depot in 22 minutes.', 'The first tram leaves the harbour at 04:50.'],
      quantifier: ['Every tram leaves the depot at 04:50.'],
      hedge: ['The first tram may leave the depot at 04:50.', 'The first tram should leave the depot at 04:50.'],
      cause: ['The first tram leaves the depot at 04:50 because of the harbour.'],
    },
  },
  {
    heading: 'Hives',
    quote: 'The north hive gave 14 kilograms of honey in 2019, and the south hive gave 9 kilograms.',
    carried: [
      'The north hive gave 14 kilograms of honey in 2019.',
      'The south hive gave 9 kg.',
      'In 2019 the north hive gave 14 kg of honey.',
      'The north hive gave fourteen kilograms of honey in 2019, and the south hive nine kilograms.',
    ],
    refused: {
      swap: [
        'The north hive gave 9 kilograms of honey in 2019.',
        'The south hive gave 14 kilograms.',
        'The north hive gave 9 kilograms of honey, and the south hive gave 14 kilograms.',
      ],
      date: ['The north hive gave 14 kilograms of honey in 2018.'],
      unit: ['The south hive gave 9 grams.'],
      opposite: ['The north hive took 14 kilograms of honey in 2019.'],
      name: ['The Marlow hive gave 14 kilograms of honey in 2019.'],
      added: ['The north hive gave 14 kilograms of dark honey in 2019.'],
      cause: ['The south hive gave 9 kilograms because the north hive gave 14 kilograms.'],
    },
  },
  {
    heading: 'Keys',
    quote: 'Keys are handed out by Vera Holt. Locks are changed by Bruno Kast only.',
    carried: [
      'Keys are handed out by Vera Holt.',
      'Vera Holt hands out keys.',
      'Only Bruno Kast changes locks.',
      'Locks are changed only by Bruno Kast.',
    ],
    refused: {
      swap: ['Keys are handed out by Bruno Kast.', 'Vera Holt changes locks.', 'Bruno Kast hands out keys.'],
      name: ['Keys are handed out by Vera Kast.', 'Keys are handed out by Hanna Holt.'],
      negation: ['Keys are not handed out by Vera Holt.', 'Bruno Kast never changes locks.'],
      quantifier: ['All keys are handed out by Vera Holt.', 'Keys are handed out by Vera Holt only.'],
    },
  },
  {
    heading: 'Tower',
    quote: 'No visitor may climb the tower above the third floor without a guide.',
    carried: [
      'No visitor may climb the tower above the third floor without a guide.',
      'Without a guide no visitor may climb the tower above the third floor.',
    ],
    refused: {
      negation: [
        'Visitors may climb the tower above the third floor without a guide.',
        'A visitor may climb the tower above the third floor.',
      ],
      opposite: ['No visitor may climb the tower below the third floor without a guide.'],
      number: ['No visitor may climb the tower above the fourth floor without a guide.'],
      hedge: ['No visitor climbs the tower above the third floor without a guide.'],
    },
  },
  {
    heading: 'Discussion',
    quote: 'We suspect that drought weakened the oaks. We did not examine the roots.',
    carried: ['The roots were not examined.', 'We suspect that drought weakened the oaks.'],
    refused: {
      hedge: ['Drought weakened the oaks.', 'Drought may have weakened the oaks.'],
      negation: ['We examined the roots.', 'We do not suspect that drought weakened the oaks.'],
      opposite: ['We suspect that drought strengthened the oaks.'],
      swap: ['We suspect that the oaks weakened drought.', 'We suspect that drought weakened the roots.'],
    },
  },
  {
    heading: 'Results',
    quote: 'Mean depth rose from 3.1 m in 2010 to 4.4 m in 2020.',
    carried: [
      'Mean depth rose from 3.1 m in 2010 to 4.4 m in 2020.',
      'Mean depth increased from 3.1 metres to 4.4 metres.',
      'In 2020 mean depth rose to 4.4 m.',
    ],
    refused: {
      opposite: ['Mean depth fell from 3.1 m in 2010 to 4.4 m in 2020.', 'Mean depth decreased to 4.4 m in 2020.'],
      swap: [
        'Mean depth rose from 4.4 m in 2010 to 3.1 m in 2020.',
        'Mean depth rose from 3.1 m in 2020 to 4.4 m in 2010.',
        'Mean depth rose to 4.4 m in 2010.',
      ],
      number: ['Mean depth rose from 3.1 m in 2010 to 4.5 m in 2020.'],
      cause: ['Mean depth rose from 3.1 m in 2010 to 4.4 m in 2020 due to rain.'],
    },
  },
  {
    heading: 'Fire',
    quote: 'The roof burned because the chimney was blocked.',
    carried: [
      'The roof burned because the chimney was blocked.',
      'Because the chimney was blocked, the roof burned.',
      'The chimney was blocked.',
    ],
    refused: {
      cause: ['The chimney was blocked because the roof burned.'],
      negation: ['The roof did not burn.', 'The roof burned because the chimney was not blocked.'],
      added: ['The roof burned twice because the chimney was blocked.'],
    },
  },
  {
    heading: 'Library of Oster',
    quote: 'Books older than 100 years are read in the hall, except those of the Kern bequest.',
    carried: ['Books older than 100 years are read in the hall, except those of the Kern bequest.'],
    refused: {
      condition: ['Books older than 100 years are read in the hall.'],
      opposite: ['Books newer than 100 years are read in the hall, except those of the Kern bequest.'],
      number: ['Books older than 10 years are read in the hall, except those of the Kern bequest.'],
    },
  },
  {
    heading: 'Votes',
    quote: 'Most members voted for the plan; three abstained.',
    carried: ['Most members voted for the plan.'],
    refused: {
      quantifier: [
        'All members voted for the plan.',
        'Members voted for the plan.',
        'Some members voted for the plan.',
      ],
      opposite: ['Most members voted against the plan.'],
      number: ['Four abstained.'],
    },
  },
  {
    heading: 'Wells',
    quote: 'Two wells were closed after the flood of May 1988 and were not reopened.',
    carried: [
      'Two wells were closed after the flood of May 1988.',
      'Two wells were not reopened.',
      'Two wells that were closed after the flood of May 1988 were not reopened.',
    ],
    refused: {
      negation: ['Two wells were reopened.', 'Two wells were not closed after the flood of May 1988.'],
      opposite: [
        'Two wells were opened after the flood of May 1988.',
        'Two wells were closed before the flood of May 1988.',
      ],
      quantifier: ['All wells were closed after the flood of May 1988.'],
      cause: [
        'The flood of May 1988 caused two wells to be closed.',
        'Two wells were closed because of the flood of May 1988.',
      ],
      date: [
        'Two wells were closed after the flood of May 1989.',
        'Two wells were closed after the flood of June 1988.',
      ],
      number: ['Three wells were closed after the flood of May 1988.'],
    },
  },
  {
    heading: 'Ferries',
    quote: 'The *Swan* takes 40 cars and must not sail in fog. The *Heron* takes 12 cars.',
    carried: ['The Swan takes 40 cars.', 'The Heron takes twelve cars.', 'The Swan must not sail in fog.'],
    refused: {
      swap: ['The Heron takes 40 cars.', 'The Swan takes 12 cars.', 'The Heron must not sail in fog.'],
      negation: ['The Swan must sail in fog.', 'The Swan may sail in fog.'],
      name: ['The Crane takes 40 cars.'],
      added: ['The Swan must not sail in fog at night.', 'The Swan takes 40 cars and 100 people.'],
    },
  },
];
