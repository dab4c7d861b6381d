/** In place of a part of a lane where it is not wanted: what needs Node in a bundle for the browser, pages in a worker. */
export {};
