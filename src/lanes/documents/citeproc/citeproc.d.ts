/** What we use of citeproc 2.4. */
declare module 'citeproc' {
  interface Sys {
    retrieveLocale(lang: string): string;
    retrieveItem(id: string): object;
  }
  interface CitationItem {
    id: string;
    prefix?: string;
    suffix?: string;
    label?: string;
    locator?: string;
    'suppress-author'?: boolean;
  }
  interface Citation {
    citationID: string;
    citationItems: CitationItem[];
    properties: { noteIndex: number; mode?: 'composite' };
  }
  export interface Engine {
    opt: { xclass: string };
    rebuildProcessorState(citations: Citation[], mode: 'text' | 'html', uncited: string[]): [string, number, string][];
    updateItems(ids: string[]): void;
    /** With no citations: empty again. */
    restoreProcessorState(citations: []): void;
    setOutputFormat(mode: 'text' | 'html'): void;
    makeBibliography(): false | [object, string[]];
  }
  const CSL: { Engine: new (sys: Sys, style: string, lang?: string, forceLang?: boolean) => Engine };
  export default CSL;
}
