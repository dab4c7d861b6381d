/** Derived schedules as XMLTV, valid by its DTD: times in UTC, each channel once, what is known of each video. */
import { cleanXml, escapeXml, escapeXmlAttribute } from '#core/text/xml.ts';
import { newElement, type GuideElement } from '../read/element.ts';
import type { Schedule, ScheduleChannel, ScheduleVideo } from './types.ts';

/** A recognised video as a guide tells of it. */
export interface GuideVideo extends ScheduleVideo {
  /** Of the show or the film; null: its id. */
  title: string | null;
  episode_title: string | null;
  /** `2019-05-02`, or a part of it from the begin. */
  aired: string | null;
}

export interface DerivedChannel {
  channel: Pick<ScheduleChannel, 'id' | 'number' | 'name'>;
  schedule: Schedule;
}

/** The document, piece by piece. */
export function* scheduleXmltv(channels: readonly DerivedChannel[], videos: readonly GuideVideo[]): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tv SYSTEM "xmltv.dtd">\n<tv generator-info-name="Accession">\n';
  // What is told of a video is written once, however often it is played.
  const texts = new WeakMap<readonly GuideElement[], string>();
  for (const { name, attributes, children } of scheduleElements(channels, videos)) {
    let inside = texts.get(children);
    if (inside === undefined) texts.set(children, (inside = children.map(leaf).join('')));
    yield `  <${name}${attributesOf(attributes)}>${inside}</${name}>\n`;
  }
  yield '</tv>\n';
}

/** The same as elements, as they would be read again: channels first. */
export function* scheduleElements(
  channels: readonly DerivedChannel[],
  videos: readonly GuideVideo[],
): Generator<GuideElement> {
  for (const { channel } of channels) {
    const children = [text('display-name', channel.name), text('display-name', channel.number)];
    yield { ...newElement('channel', { id: attribute(channel.id) }), children };
  }
  const known = new Map(videos.map((video) => [video.id, video]));
  const told = new Map<string, GuideElement[]>();
  for (const { channel, schedule } of channels) {
    const of = attribute(channel.id);
    for (const { start, stop, video } of schedule.programmes) {
      let children = told.get(video);
      if (children === undefined) {
        const about = known.get(video);
        told.set(video, (children = about ? content(about) : [text('title', video)]));
      }
      const attributes = { start: compact(start), stop: compact(stop), channel: of };
      yield { ...newElement('programme', attributes), children };
    }
  }
}

/** What is told of a video, in the order of the DTD. */
function content({ title, show, episode_title, aired, season, episode, seconds }: GuideVideo): GuideElement[] {
  const numbered = season !== null && episode !== null;
  const date = /^\d{4}(-\d\d(-\d\d)?)?/.exec(aired ?? '')?.[0].replaceAll('-', '');
  return [
    text('title', title?.trim() ? title : show),
    ...(episode_title?.trim() ? [text('sub-title', episode_title)] : []),
    ...(date === undefined ? [] : [text('date', date)]),
    text('category', numbered ? 'Series' : 'Movie', { lang: 'en' }),
    ...(seconds === null ? [] : [text('length', String(seconds), { units: 'seconds' })]),
    // That notation counts from the first: a pilot has no place in it.
    ...(numbered && season > 0 && episode > 0
      ? [text('episode-num', `${season - 1}.${episode - 1}.`, { system: 'xmltv_ns' })]
      : []),
    ...(numbered ? [text('episode-num', `S${pad(season)}E${pad(episode)}`, { system: 'onscreen' })] : []),
  ];
}

const pad = (number: number): string => String(number).padStart(2, '0');
/** `2026-03-02T08:00:00Z` as `20260302080000 +0000`. */
const compact = (instant: string): string => `${instant.replace(/\D/g, '')} +0000`;
const text = (name: string, said: string, attributes: Readonly<Record<string, string>> = {}): GuideElement => ({
  ...newElement(name, attributes),
  text: cleanXml(said),
});
const leaf = ({ name, attributes, text: said }: GuideElement): string =>
  `<${name}${attributesOf(attributes)}>${escapeXml(said)}</${name}>`;
const attributesOf = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXmlAttribute(value)}"`)
    .join('');
const attribute = (said: string): string => cleanXml(said).replace(/[\t\n\r]/g, ' ');
