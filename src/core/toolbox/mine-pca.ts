/** `mine_pca`: principal components, by R. */
import * as v from 'valibot';
import { fault, firstFault, isConstant } from './fields.ts';
import { points } from './mine-cluster.ts';
import { rTool } from './r/r-tool.ts';

const InputSchema = v.strictObject({ rows: points, scale: v.exactOptional(v.boolean()) });

/** The sign of a component means nothing: its largest loading is put above 0. */
const RECIPE = String.raw`function(input) {
  x <- do.call(rbind, input$rows); p <- prcomp(x, scale. = isTRUE(input$scale))
  turn <- apply(p$rotation, 2, function(one) sign(one[which.max(abs(one))]))
  loadings <- sweep(p$rotation, 2, turn, "*"); scores <- sweep(p$x, 2, turn, "*")
  list(sdev = I(p$sdev), proportion = I(p$sdev^2 / sum(p$sdev^2)),
    loadings = lapply(seq_len(ncol(loadings)), function(i) I(loadings[, i])),
    scores = lapply(seq_len(nrow(scores)), function(i) I(scores[i, ])))
}`;

export const minePca = rTool<v.InferOutput<typeof InputSchema>>({
  name: 'mine_pca',
  description:
    'Principal components of rows of numbers by R; scale: each column to variance 1 first. Answers sdev, proportion, loadings (a list a component), scores.',
  input: InputSchema,
  output: { sdev: v.array(v.number()), proportion: v.array(v.number()), loadings: v.array(v.array(v.number())) },
  example: { rows: [[1, 1], [1.2, 0.9], [5, 5.1], [5.2, 4.9]] }, // prettier-ignore
  check({ rows, scale }) {
    const width = rows[0]?.length ?? 0;
    const column = (at: number): number[] => rows.map((row) => row[at] ?? 0);
    const constant = Array.from({ length: width }, (_, at) => isConstant(column(at)));
    return firstFault(
      width === 0 && fault('rows', 'has no columns'),
      rows.some((row) => row.length !== width) && fault('rows', 'its rows are not of one length'),
      rows.length < 2 && fault('rows', 'needs two rows'),
      constant.every(Boolean) && fault('rows', 'all rows are the same'),
      scale === true && constant.some(Boolean) && fault('rows', 'a column is the same everywhere: it cannot be scaled'),
    );
  },
  recipe: RECIPE,
});
