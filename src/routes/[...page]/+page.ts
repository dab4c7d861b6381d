import { error, type Load } from '@sveltejs/kit';
import { findPage } from '#ui/lanes.ts';

export const load: Load = async ({ parent, url }) => {
  await parent();
  const page = findPage(url.pathname.slice(1), url.searchParams);
  if (page === null) error(404, 'Not Found');
  return { page: await page() };
};
