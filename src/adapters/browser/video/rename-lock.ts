/** The Web Lock of whoever renames; one for all folders, because a folder that was opened may be inside another one. */
export const RENAME_LOCK = 'accession-rename';
