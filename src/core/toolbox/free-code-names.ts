/** The tools that run free code: each of them, and no other, has `code`. */
export const FREE_CODE: readonly string[] = ['r_run', 'python_run'];
