/** `mine_cluster`: heaps of points, by R's kmeans (the best of 50 starts) and hclust, or by density. */
import * as v from 'valibot';
import { fault, firstFault, numbers, number, value } from './fields.ts';
import { rTool } from './r/r-tool.ts';
import type { Fault } from './tool.ts';

export const points = v.pipe(
  v.array(numbers, 'must be rows of numbers'),
  v.minLength(1, 'is empty'),
  v.maxLength(100_000, 'has more than 100,000'),
);
const whole = (least: number) =>
  v.pipe(number, v.integer('must be a whole number'), v.minValue(least, `must be ${least} at least`));
const LINKAGES = ['complete', 'single', 'average', 'ward.D2', 'centroid', 'median', 'mcquitty'] as const;

const InputSchema = v.strictObject({
  rows: points,
  method: v.exactOptional(v.picklist(['kmeans', 'hclust', 'dbscan'], 'must be kmeans, hclust or dbscan')),
  k: v.exactOptional(whole(1)),
  seed: v.exactOptional(whole(0)),
  linkage: v.exactOptional(v.picklist(LINKAGES, `must be one of ${LINKAGES.join(', ')}`)),
  eps: v.exactOptional(v.pipe(number, v.gtValue(0, 'must be above 0'))),
  min_points: v.exactOptional(whole(1)),
});
type Input = v.InferOutput<typeof InputSchema>;

/** A distance of each to each is kept: more points are too many. */
const MOST_PAIRS = 5000;

/** Heaps are numbered in the order in which their first points come; 0 is noise. */
const RECIPE = String.raw`function(input) {
  x <- do.call(rbind, input$rows); method <- if (is.null(input$method)) "kmeans" else input$method
  label <- if (method == "kmeans") {
    set.seed(if (is.null(input$seed)) 1 else input$seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
    if (input$k == 1) rep(1L, nrow(x))
    else if (input$k == nrow(x)) seq_len(nrow(x))
    else kmeans(x, input$k, nstart = 50, iter.max = 100)$cluster
  } else if (method == "hclust") {
    cutree(hclust(dist(x), method = if (is.null(input$linkage)) "complete" else input$linkage), input$k)
  } else {
    near <- as.matrix(dist(x)) <= input$eps
    core <- rowSums(near) >= (if (is.null(input$min_points)) 5 else input$min_points)
    l <- integer(nrow(x)); next_one <- 0
    for (i in which(core)) if (l[i] == 0) {
      next_one <- next_one + 1; todo <- i; l[i] <- next_one
      while (length(todo) > 0) {
        at <- todo[1]; todo <- todo[-1]
        if (core[at]) { new <- which(near[at, ] & l == 0); l[new] <- next_one; todo <- c(todo, new) }
      }
    }
    l
  }
  named <- unique(label[label > 0]); label <- ifelse(label > 0, match(label, named), 0L)
  within <- vapply(seq_along(named), function(g) { p <- x[label == g, , drop = FALSE]; sum(sweep(p, 2, colMeans(p))^2) }, 0)
  list(labels = I(label), within_sum_sq = sum(within), sizes = I(sort(tabulate(label, length(named)))), noise = sum(label == 0),
    centers = lapply(seq_along(named), function(g) I(colMeans(x[label == g, , drop = FALSE]))))
}`;

function check({ rows, method = 'kmeans', k, linkage, eps, min_points }: Input): Fault | null {
  const width = rows[0]?.length ?? 0;
  return firstFault(
    width === 0 && fault('rows', 'has no columns'),
    rows.some((row) => row.length !== width) && fault('rows', 'its rows are not of one length'),
    method === 'dbscan' && k !== undefined && fault('k', 'is not of dbscan'),
    method === 'dbscan' && eps === undefined && fault('eps', 'is missing'),
    method !== 'dbscan' && eps !== undefined && fault('eps', 'is of dbscan alone'),
    method !== 'dbscan' && min_points !== undefined && fault('min_points', 'is of dbscan alone'),
    method !== 'hclust' && linkage !== undefined && fault('linkage', 'is of hclust alone'),
    method !== 'dbscan' && k === undefined && fault('k', 'is missing'),
    (k ?? 0) > rows.length && fault('k', 'there are fewer points'),
    method === 'kmeans' &&
      (k ?? 0) > new Set(rows.map((row) => row.join(' '))).size &&
      fault('k', 'there are fewer points that differ'),
    method !== 'kmeans' && rows.length > MOST_PAIRS && fault('rows', `has more than ${MOST_PAIRS}: use kmeans`),
  );
}

export const mineCluster = rTool<Input>({
  name: 'mine_cluster',
  description: `Clusters rows of numbers: method kmeans (k, seed; the best of 50 starts), hclust (k, linkage), dbscan (eps, min_points). Answers labels, sizes, within_sum_sq.`,
  input: InputSchema,
  output: { labels: v.array(v.number()), within_sum_sq: value, sizes: v.array(v.number()) },
  example: { rows: [[1, 1], [1.2, 0.9], [5, 5], [5.2, 4.9]], k: 2, seed: 1 }, // prettier-ignore
  check,
  recipe: RECIPE,
});
