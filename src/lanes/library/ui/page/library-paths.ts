/** The page of a folder, below the origin. */
export const folderPath = (folder: string): string => `library/${folder}`;

/** The page of a file, at a line; of a document also the page, and the words that were looked for. */
export const filePath = (
  folder: string,
  path: string,
  line = 1,
  at: { page?: string | undefined; words?: string } = {},
): string => {
  const { page, words = '' } = at;
  const found = page === undefined ? {} : { page, words };
  return `library/${folder}/file?${new URLSearchParams({ path, line: String(line), ...found }).toString()}`;
};
