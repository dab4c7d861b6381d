/** Runs of playbooks that wait on the server, done by `accession work`. */
import type { LaneTaker, TakerPlace } from '#cli/lane-cli.ts';
import type { OfferedTool } from '#core/agent/tools/offered-tool.ts';
import { commonDomains } from '#core/domains.ts';
import { AccessionError } from '#core/errors.ts';
import { ok } from '#core/result.ts';
import { CONNECTORS } from '#core/toolbox/connectors/connectors.ts';
import type { PlaybookModels } from '#lanes/playbooks/core/run/ports.ts';
import { toolboxTools } from '#lanes/playbooks/core/tools/toolbox-tools.ts';
import { createRunClient } from '#lanes/playbooks/http/run-client.ts';
import { workOnNextRun } from '#lanes/playbooks/http/work-on-runs.ts';
import { openNodeCage, workerNet } from '#lanes/playbooks/node/tools.ts';
import { runModels } from './run-models.ts';
import { machinePorts } from './run-ports.ts';

const NO_MODEL_WORDS =
  'runs of playbooks are left to other workers: no model is set. Set one under [agent.llm] in accession.toml, or give names of playbooks a model under [playbooks.models].';

export function openTaker(place: TakerPlace): LaneTaker {
  const { http, clock, wait, say, mapped, openModel, steps } = place;
  const net = workerNet(steps.allow);
  const client = createRunClient(http);
  const cage = openNodeCage();
  let said = false;
  const named = runModels({}, mapped, openModel);
  // Who began the run agreed to its domains; this machine's own configuration has a word in it, too.
  const tools = async (domains: readonly string[]): Promise<OfferedTool[]> => {
    const agreed = commonDomains(domains, steps.allow);
    return [...toolboxTools({ cage, net, agreed, connectors: CONNECTORS }), ...(await steps.tools(agreed))];
  };
  return {
    async take(name, stop) {
      const model = await place.model();
      // Whoever has one takes them.
      if (model === null && Object.keys(mapped).length === 0) {
        if (!said) say(NO_MODEL_WORDS);
        said = true;
        return ok(false);
      }
      const own = model === null ? null : `${model.provider}/${model.model}`;
      const models: PlaybookModels = {
        price: model?.options.price ?? { in: 0, out: 0 },
        nameOf: (of) => named.nameOf(of) ?? own,
        async open(of, unit) {
          if (model === null || named.nameOf(of) !== null) return named.open(of, unit);
          const opened = await model.open();
          if (!opened.ok) throw new AccessionError(opened.failure);
          return opened.value;
        },
      };
      const ports = { ...machinePorts(), models };
      return workOnNextRun({ client, clock, wait, say, ports, tools }, name, stop);
    },
    async close() {
      cage.close();
      await named.close();
    },
  };
}
