/** The page of a folder, below the origin. */
export const folderPath = (folder: string): string => `library/${folder}`;

/** The page of a file, at a line. */
export const filePath = (folder: string, path: string, line = 1): string =>
  `library/${folder}/file?${new URLSearchParams({ path, line: String(line) }).toString()}`;
