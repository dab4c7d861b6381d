/** Faults in plain words. */
import type { Fault } from './fault.ts';

const SENTENCES: Readonly<Record<string, string>> = {
  METADATA_LOOKUP_FAILURE: 'a look-up of it failed',
  EPISODE_NUM_MISSING: 'it has no number of season and episode',
  MOVIE_YEAR_MISSING: 'it is a film without a year',
  PLACEHOLDER_TITLE: 'its title says nothing',
  notwell: 'the document is not well-formed XML or breaks off; what was read whole before counts',
  'notvalid:order': 'what is in it is in another order than XMLTV has it',
  'notvalid:unknown': 'an element in it is not one of XMLTV',
  'notvalid:attribute': 'an attribute is missing, unknown, or has a value that XMLTV does not allow',
  'notvalid:missing': 'something that it must have is missing',
  'notvalid:repeated': 'something in it is there more often than XMLTV allows',
  'notvalid:nesting': 'text or an element stands where it may not',
  badentity: 'an & in it is not written as &amp;, or names a character that XML does not know',
  badcharacter: 'a character in it is forbidden in XML; it was left out',
  duplicateid: 'the channel is declared again',
  unknownid: 'it is on a channel that the guide does not declare',
  channelnoprogramme: 'the channel has no programme',
  noprogrammes: 'the guide has no programme',
  badstart: 'its start is no time',
  badstop: 'its stop is no time',
  missingtimezone: 'a time of it names no time zone',
  invalidtimezone: 'a time of it names a time zone that means none or several',
  'stop-before-start': 'it ends before it begins',
  overlap: 'it ends after the next one begins',
  duplicate: 'another programme of the channel begins with it',
  badepisode: 'its number in xmltv_ns is not season.episode.part',
  emptytitle: 'its title is empty',
  emptydescription: 'a description of it is empty',
  'channel has guide data, not in lineup': 'the channel has programmes, but the lineup does not have it',
  'lineup channel without guide data': 'the lineup has it, but the guide does not',
  'duplicate GuideNumber': 'another entry of the lineup has its number',
  'duplicate EpgId': 'another entry of the lineup has its EpgId',
  'bad GuideNumber': 'its number in the lineup is not like 5 or 5.1',
  'empty GuideName': 'it has no name in the lineup',
  'unreadable lineup': 'the lineup could not be read',
};

/** What is wrong, as the end of a sentence that begins with where. */
export const faultWords = ({ type, code }: Pick<Fault, 'type' | 'code'>): string =>
  SENTENCES[code ?? type] ?? code ?? type;
