/** TeX as MathML. */
import katex from 'katex';
import { failed, messageOf } from '#core/errors.ts';

export const TEX_VERSION = `KaTeX ${katex.version}`;
/** Macros of a formula, put in: more is a loop. */
const MOST_EXPANSIONS = 1000;

export function mathOf({ tex, display = true }: { tex: string; display?: boolean }): object {
  let refused: string | null = null;
  const markup = rendered(tex, display, (command) => (refused = command));
  if (refused !== null)
    throw failed('tool_input', `tex: ${refused} is not trusted: it reaches outside of the formula`, { subject: 'tex' });
  return { mathml: markup.replace(/^<span class="katex">/, '').replace(/<\/span>$/, ''), tex, display };
}

function rendered(tex: string, display: boolean, refuse: (command: string) => void): string {
  try {
    return katex.renderToString(tex, {
      ...{ output: 'mathml', displayMode: display, throwOnError: true, strict: 'ignore', maxExpand: MOST_EXPANSIONS },
      ...{ maxSize: 100, macros: {} },
      trust({ command }) {
        refuse(command);
        return false;
      },
    });
  } catch (thrown) {
    const said = messageOf(thrown).replace('KaTeX parse error: ', '').replaceAll('\u0332', '');
    throw failed('tool_input', `tex: ${said.slice(0, 300)}`, { subject: 'tex' });
  }
}
