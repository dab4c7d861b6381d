import { Parser } from 'htmlparser2';

/** Texts of elements and attributes with their qualified name; `rdf:li` and its kin belong to the property around them. */
export function xmpProperties(xml: string): [string, string][] {
  const found: [string, string][] = [];
  const open: string[] = [];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        open.push(name);
        for (const [attribute, value] of Object.entries(attributes)) found.push([attribute, value]);
      },
      ontext(text) {
        const property = open.findLast((name) => !name.startsWith('rdf:'));
        if (property !== undefined && text.trim() !== '') found.push([property, text.trim()]);
      },
      onclosetag() {
        open.pop();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return found;
}
