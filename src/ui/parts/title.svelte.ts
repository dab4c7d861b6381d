/** The name of the open page, for the title of the tab; set by PageHead. */
class PageTitle {
  current = $state('');
}

export const pageTitle = new PageTitle();
