/** One element of a guide as it was read, with all that is in it. */
export interface GuideElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** Its own text, without that of its children; blanks between children are left out. */
  text: string;
  children: GuideElement[];
  /** It holds text, a comment or a section of characters, be it blank: what an element that must be empty may not. */
  filled: boolean;
  /** It holds a section of characters (CDATA), which counts as text even where it is blank. */
  section: boolean;
}

export const newElement = (name: string, attributes: Readonly<Record<string, string>>): GuideElement => ({
  ...{ name, attributes, text: '', children: [], filled: false, section: false },
});

/** Nothing but blanks. */
export const isBlank = (text: string): boolean => !/\S/.test(text);

/** Its children of one name. */
export const childrenOf = (element: GuideElement, name: string): GuideElement[] =>
  element.children.filter((child) => child.name === name);

/** The texts of its children of one name, without blanks around them; blank ones are left out. */
export function textsOf(element: GuideElement, name: string): string[] {
  const texts: string[] = [];
  for (const child of element.children) {
    if (child.name !== name) continue;
    const text = child.text.trim();
    if (text !== '') texts.push(text);
  }
  return texts;
}
