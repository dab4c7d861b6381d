/** Circuits, by ngspice. What reaches it was read before (core/toolbox/spice/netlist.ts); what it warns of is an answer's, too. */
import { Simulation } from 'eecircuit-engine';
import { failed } from '#core/errors.ts';
import type { Engine } from '#core/toolbox/engine.ts';
import type { Vectors } from '#core/toolbox/spice/measure.ts';

const PACKAGE = 'eecircuit-engine 1.8.0';
/** Of what ngspice says of a failure. */
const FATAL = /no such|singular matrix|timestep too small|aborted|fatal|cannot|can't|error|unknown/i;
/** With this a run that failed is over. */
const ENDED = /simulation\(s\) aborted|no writable vector|no simulations run|circuit not parsed|there is no circuit/i;
/** Milliseconds between two looks at what it said. */
const LOOK_MS = 20;
/** Lines that ngspice leaves out, and goes on. */
const DROPPED = /ignored|not a valid|unrecognized|unable to find definition|unimplemented/i;

export async function openSpice(): Promise<Engine> {
  const simulation = new Simulation();
  const { fetch } = globalThis;
  // Its program stands in the package as a `data:` address: that is all it fetches, once.
  Object.defineProperty(globalThis, 'fetch', { value: fetchData, writable: true, configurable: true });
  await simulation.start();
  Object.defineProperty(globalThis, 'fetch', { value: fetch, writable: true, configurable: true });
  const version = /ngspice-(\d[\w.]*)/.exec(simulation.getInitInfo())?.[1];
  let runs = 0;
  return {
    versions: [...(version === undefined ? [] : [`ngspice ${version}`]), PACKAGE],
    async call({ data }) {
      const { netlist } = data as { netlist: string };
      // After a run that failed it answers the one before: each has a title of its own.
      const title = `run ${(runs += 1)}`;
      const body = netlist.replace(/^.*(?:\r\n|\n|\r)/, '');
      simulation.setNetList(`${title}\n${body}${/^\.end\s*$/im.test(body) ? '' : '\n.end'}`);
      const result = await simulated(simulation);
      const said = saidBy(simulation);
      const dropped = said.find((line) => DROPPED.test(line));
      if (dropped !== undefined) throw failed('tool_input', `netlist: ${dropped}`, { subject: 'netlist' });
      if (result?.header.includes(`Title: ${title}\n`) !== true)
        throw failed('spice_failed', `spice: ${said.find((line) => FATAL.test(line)) ?? 'ngspice gave no result'}`);
      return { ...vectorsOf(result), warnings: said };
    },
  };
}

const saidBy = (simulation: Simulation): string[] =>
  simulation
    .getError()
    .map((line) => line.trim())
    .filter((line) => line !== '');

function fetchData(address: unknown): Promise<Response> {
  const [head = '', body = ''] = String(address).split(',', 2);
  if (!head.startsWith('data:') || !head.endsWith(';base64'))
    return Promise.reject(new TypeError('The cage has no network.'));
  const bytes = Uint8Array.from(atob(body), (one) => one.charCodeAt(0));
  return Promise.resolve(new Response(bytes, { headers: { 'content-type': 'application/wasm' } }));
}

type Result = Awaited<ReturnType<Simulation['runSim']>>;

/** Null where it failed: ngspice then writes nothing, and says nothing more. */
function simulated(simulation: Simulation): Promise<Result | null> {
  return new Promise((resolve) => {
    const look = setInterval(() => {
      if (saidBy(simulation).some((line) => ENDED.test(line))) end(null);
    }, LOOK_MS);
    const end = (result: Result | null): void => {
      clearInterval(look);
      resolve(result);
    };
    simulation.runSim().then(end, () => end(null));
  });
}

function vectorsOf(result: Result): Vectors {
  const real: Record<string, number[]> = {};
  const imaginary: Record<string, number[]> = {};
  let scale: string | null = null;
  for (const { name, type, values } of result.data) {
    const key = name.toLowerCase();
    if (type === 'time' || type === 'frequency' || (scale === null && /sweep/.test(name))) scale = key;
    real[key] = values.map((one) => (typeof one === 'number' ? one : one.real));
    if (result.dataType === 'complex') imaginary[key] = values.map((one) => (typeof one === 'number' ? 0 : one.img));
  }
  return { scale, real, imaginary: result.dataType === 'complex' ? imaginary : null };
}
