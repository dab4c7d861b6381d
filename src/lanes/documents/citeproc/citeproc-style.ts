/**
 * Styles by citeproc, which is loaded when something is cited (docs/THIRD_PARTY.md: CPAL-1.0, unmodified, a file of its
 * own), and by the styles and locales of @citation-js/plugin-csl.
 */
import type { Engine } from 'citeproc';
import { failed, messageOf } from '#core/errors.ts';
import type { CitationStyle } from '#lanes/documents/core/cite/cite-text.ts';
import type { CslItem } from '#lanes/documents/core/cite/csl-item.ts';

export const STYLES = ['apa', 'vancouver', 'harvard1'] as const;
export const LOCALES = ['en-US', 'de-DE', 'es-ES', 'fr-FR', 'nl-NL'] as const;
/** What its licence wants to be shown where citations are made. */
export const CITEPROC_NOTICE = 'Citations by CSL (citeproc-js), https://citationstyles.org/';

/** A style of somebody's own may be so long. Characters. */
const LONGEST_STYLE = 1_000_000;

/**
 * @param style one of STYLES, or the text of a .csl file
 * @param locale one of LOCALES; null: what the style asks for, where it is one of them
 *
 * Throws AccessionError `invalid` for a style that is none.
 */
export async function citeprocStyle(style: string, locale: string | null): Promise<CitationStyle> {
  const [{ default: CSL }, { default: styles }, { default: locales }] = await Promise.all([
    import('citeproc'),
    import('@citation-js/plugin-csl/lib/styles.json', { with: { type: 'json' } }),
    import('@citation-js/plugin-csl/lib/locales.json', { with: { type: 'json' } }),
  ]);
  const known: Record<string, string> = styles;
  const languages: Record<string, string> = locales;
  if (locale !== null && languages[locale] === undefined)
    throw failed('invalid', `"${locale}" is no language that is there: ${LOCALES.join(', ')}.`);
  const text = known[style] ?? style;
  whyNoStyle(text, style);
  const english = languages['en-US'] ?? '';
  const works = new Map<string, CslItem>();
  const sys = {
    retrieveLocale: (language: string) => languages[language] ?? english,
    retrieveItem: (id: string) => works.get(id) ?? { id, type: 'article' },
  };
  const engine = engineOf();
  const isNote = engine.opt.xclass === 'note';
  return {
    isNote,
    format(items, citations) {
      // Years that were told apart for the text before (2011a, 2011b) would stay told.
      engine.restoreProcessorState([]);
      works.clear();
      for (const item of items) works.set(item.id, item);
      const said = engine.rebuildProcessorState(
        citations.map(({ items: cited, inText }, i) => ({
          citationID: `c${i}`,
          citationItems: cited.map(({ id, prefix, suffix, locator, withoutAuthor }) => ({
            id,
            ...(prefix === '' ? {} : { prefix: `${prefix} ` }),
            ...(suffix === '' ? {} : { suffix }),
            ...(locator === null ? {} : { label: locator.label, locator: locator.value }),
            ...(withoutAuthor ? { 'suppress-author': true } : {}),
          })),
          properties: { noteIndex: isNote ? i + 1 : 0, ...(inText ? { mode: 'composite' } : {}) },
        })),
        'text',
        [],
      );
      engine.setOutputFormat('text');
      const bibliography = engine.makeBibliography();
      return {
        citations: said.map(([, , words], i) => withNames(words.trim(), works.get(citations[i]?.items[0]?.id ?? ''))),
        works: bibliography === false ? [] : bibliography[1].map((entry) => entry.replaceAll(/\s+/g, ' ').trim()),
      };
    },
  };
  /** Of a large style it takes seconds to make one. */
  function engineOf(): Engine {
    try {
      return locale === null ? new CSL.Engine(sys, text) : new CSL.Engine(sys, text, locale, true);
    } catch (error) {
      throw failed('invalid', `The style cannot be used: ${messageOf(error)}`);
    }
  }
}

/** Styles of numbers print no author; in a sentence one is wanted. */
function withNames(words: string, work: CslItem | undefined): string {
  const [first = '', second, ...more] = (work?.author ?? []).map(({ family, literal }) => family ?? literal ?? '');
  const names =
    more.length > 0
      ? `${first} et al.`
      : second === undefined
        ? first || (work?.title ?? '')
        : `${first} and ${second}`;
  return words.replaceAll('[NO_PRINTED_FORM]', () => names);
}

/** Throws AccessionError `invalid` for what is no style by itself. */
function whyNoStyle(text: string, said: string): void {
  if (!text.trimStart().startsWith('<'))
    throw failed('invalid', `"${said.slice(0, 100)}" is no style that is there: ${STYLES.join(', ')}, or a .csl file.`);
  if (text.length > LONGEST_STYLE) throw failed('invalid', 'This .csl file is longer than a style is.');
  if (/<link\b[^>]*\brel="independent-parent"/.test(text))
    throw failed('invalid', 'This .csl file only names another style; take that one, of the address that it names.');
  if (!/<style\b/.test(text) || !/<citation\b/.test(text)) throw failed('invalid', 'This file is no CSL style.');
}
