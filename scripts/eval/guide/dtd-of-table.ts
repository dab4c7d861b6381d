/** The document type that our table says, in the words of a DTD. */
import { XMLTV, type Content } from '#lanes/guide/core/read/dtd.ts';

/** A declaration an element and one for its attributes. */
export const dtdOfTable = (): string =>
  [...XMLTV]
    .map(([name, { content, attributes }]) => {
      const declared = [...attributes].map(
        ([attribute, { required, values }]) =>
          `<!ATTLIST ${name} ${attribute} ${values === null ? 'CDATA' : `(${values.join('|')})`} #${required ? 'REQUIRED' : 'IMPLIED'}>`,
      );
      return [`<!ELEMENT ${name} ${contentOf(content)}>`, ...declared].join('\n');
    })
    .join('\n');

function contentOf(content: Content): string {
  switch (content.kind) {
    case 'empty':
      return 'EMPTY';
    case 'text':
      return '(#PCDATA)';
    case 'mixed':
      return `(#PCDATA|${[...content.children].join('|')})*`;
    case 'sequence': {
      const parts = content.names.map((name, place) => `${name}${(content.counts[place] ?? '1').replace('1', '')}`);
      return `(${parts.join(',')})`;
    }
  }
}
