/** Of an album's page, below the origin. */
export const albumPath = (id: string): string => `catalog/albums/${encodeURIComponent(id)}`;
