/** Text as XML may hold it. */

/** Of an element; an attribute's has its quotes to write, too. */
export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Of an attribute between double quotes. */
export const escapeXmlAttribute = (text: string): string => escapeXml(text).replaceAll('"', '&quot;');

/** Without what XML forbids. */
export const cleanXml = (text: string): string =>
  text.toWellFormed().replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '');
