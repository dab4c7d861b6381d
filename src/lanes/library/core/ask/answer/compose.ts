/** Sentences and their quotes as an answer with labels, sources, what is missing and how sure it is. */
import { plainText } from './plain-text.ts';
import { findQuote, type FoundQuote } from '../check/find-quote.ts';
import type { Assessment } from '../evidence/assess.ts';
import { saysItReplaces } from '../evidence/rivals.ts';
import type { RankedSentence } from '../evidence/rank.ts';
import type { Evidence } from '../evidence/evidence.types.ts';
import { linesOf, sectionAt } from '../evidence/ledger.ts';
import type { Answer, AnswerStatus, Citation, Conflict, SaidSentence, Sentence, SourceListed } from './answer.types.ts';

export interface ToCompose {
  assessment: Assessment;
  evidence: readonly Evidence[];
  /** In the order in which they are said. One whose quotes do not stand in their sources is not said. */
  sentences: readonly (Sentence & Pick<SaidSentence, 'replaced'>)[];
  /** More sentences for a person: a stop, a source that changed. */
  limitations?: readonly string[];
}

/** Passages that are near what was not found. */
const NEAREST = 3;

export function composeAnswer({ assessment, evidence, sentences, limitations = [] }: ToCompose): Answer {
  const sources = new Map(evidence.map((one) => [one.source_id, one]));
  const citations: Citation[] = [];
  const said: SaidSentence[] = [];
  for (const { text, quotes, replaced } of sentences) {
    const found = quotes.map(({ source_id, text: quote }) => {
      const source = sources.get(source_id);
      return source === undefined ? null : findQuote(source, quote);
    });
    if (found.length === 0 || found.includes(null)) continue;
    const labels = found.flatMap((one) => (one === null ? [] : [labelOf(citations, one)]));
    said.push({ text, labels: [...new Set(labels)], ...(replaced === undefined ? {} : { replaced }) });
  }
  const missing = assessment.parts.flatMap((part) => (part.missing === null ? [] : [part.missing]));
  const status: AnswerStatus = said.length === 0 ? 'abstained' : missing.length > 0 ? 'partial' : 'answered';
  return {
    status,
    answer_text: status === 'abstained' ? ABSTAINED : said.map(withLabels).join('\n'),
    sentences: said,
    citations,
    limitations: [...limitations, ...replacedIn(said)],
    missing,
    nearest: status === 'answered' ? [] : nearestOf(assessment, citations),
    conflicts: conflictsOf(assessment, citations),
    sources: listed(citations, sources),
    confidence: assessment.confidence,
  };
}

const ABSTAINED = 'The library does not answer this.';

/** Sources that differ, the earlier before the later; what replaces what only where the later one says so. */
function conflictsOf({ parts }: Assessment, citations: readonly Citation[]): Conflict[] {
  return parts.flatMap(({ question, chosen, rivals }) => {
    const [first] = chosen;
    if (first === undefined || rivals.length === 0) return [];
    const sides = [first, ...rivals]
      .flatMap((one) => {
        const label = citations.find((citation) => isOf(citation, one))?.label;
        return label === undefined ? [] : [{ one, label }];
      })
      .sort((a, b) => yearOf(a.one) - yearOf(b.one));
    if (sides.length < 2) return [];
    const named = sides.map(({ one: { sentence }, label }) => {
      const { title, date } = sentence.evidence;
      return `“${plainText(title)}”${date === null ? '' : ` (${date})`} [${label}]`;
    });
    const last = sides.at(-1);
    const replaces = last !== undefined && saysItReplaces(last.one.sentence.text);
    const text = `These differ: ${named.join(' and ')}.${replaces ? ` ${named.at(-1) ?? ''} says that it changes what was before.` : ''}`;
    return [{ question: question.id, labels: sides.map(({ label }) => label), text }];
  });
}

const isOf = ({ source_id, start, end }: Citation, { sentence }: RankedSentence): boolean =>
  source_id === sentence.evidence.source_id && start < sentence.end && end > sentence.start;

/** A source without a date comes first: it was there before. */
const yearOf = ({ sentence: { evidence } }: RankedSentence): number =>
  Number(/(?:1\d|20|21)\d\d/.exec(evidence.date ?? '')?.[0] ?? 0);

/** A label in a text of a source is text: brackets around figures become round ones. */
const withLabels = ({ text, labels }: SaidSentence): string =>
  `${text.replaceAll(/\[(\d+)\]/g, '($1)')} ${labels.map((label) => `[${label}]`).join(' ')}`;

function replacedIn(said: readonly SaidSentence[]): string[] {
  const count = said.filter(({ replaced }) => replaced !== undefined).length;
  if (count === 0) return [];
  return [
    count === 1
      ? 'One sentence of the model was not carried by its quote; the quote stands in its place.'
      : `${count} sentences of the model were not carried by their quotes; the quotes stand in their place.`,
  ];
}

function labelOf(citations: Citation[], found: FoundQuote): string {
  const known = citations.find(
    ({ source_id, start, end }) => source_id === found.evidence.source_id && start === found.start && end === found.end,
  );
  if (known !== undefined) return known.label;
  const citation = citationOf(found, String(citations.length + 1));
  citations.push(citation);
  return citation.label;
}

export function citationOf({ evidence, span, start, end, text }: FoundQuote, label: string): Citation {
  const page = sectionAt(span, start)?.page ?? null;
  return {
    label,
    source_id: evidence.source_id,
    path: evidence.path,
    ...(evidence.url === undefined ? {} : { url: evidence.url }),
    title: evidence.title,
    ...(page === null ? {} : { pages: [page] }),
    ...linesOf(span, start, end),
    start,
    end,
    quote: text.replaceAll(/\s\|\s/g, ' '),
  };
}

function nearestOf({ parts }: Assessment, cited: readonly Citation[]): Citation[] {
  const nearest: Citation[] = [];
  for (const { answered, ranked } of parts) {
    if (answered) continue;
    for (const { sentence } of ranked.slice(0, NEAREST)) {
      const { evidence, span, start, end, text } = sentence;
      const one = citationOf({ evidence, span, start, end, text }, '');
      const isSame = (other: Citation): boolean => other.source_id === one.source_id && other.start === one.start;
      if (!cited.some(isSame) && !nearest.some(isSame)) nearest.push(one);
    }
  }
  return nearest.slice(0, NEAREST);
}

function listed(citations: readonly Citation[], sources: ReadonlyMap<string, Evidence>): SourceListed[] {
  const found = new Map<string, SourceListed>();
  for (const { source_id, title, path, url, label } of citations) {
    const known = found.get(source_id);
    if (known !== undefined) known.labels.push(label);
    else {
      const date = sources.get(source_id)?.date ?? null;
      found.set(source_id, { source_id, title, path, ...(url === undefined ? {} : { url }), date, labels: [label] });
    }
  }
  return [...found.values()];
}
