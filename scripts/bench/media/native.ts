import { spawn, spawnSync } from 'node:child_process';
import { endedChildrenCpu } from './processes.ts';

/** True when the tool is installed. */
export function hasTool(name: string): boolean {
  return spawnSync(name, ['-version'], { stdio: 'ignore' }).error === undefined;
}

/** Runs a native tool to its end. CPU and wall seconds. Throws when it fails. */
export async function runNative(name: string, args: readonly string[]): Promise<{ cpu: number; wall: number }> {
  const before = endedChildrenCpu();
  const begun = performance.now();
  await new Promise<void>((resolve, reject) => {
    const child = spawn(name, args, { stdio: 'ignore' });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${name} ended with ${code}.`))));
  });
  return { cpu: endedChildrenCpu() - before, wall: (performance.now() - begun) / 1000 };
}
