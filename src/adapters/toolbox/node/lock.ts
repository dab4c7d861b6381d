/**
 * Loaded before anything else in a child of the cage (`--import`), and in its threads: Node's permissions cover files, processes
 * and addons, not the network. Whatever could open a connection refuses, under every name by which it can be had.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';

const require = createRequire(import.meta.url);

// Node makes these of sockets when they are first asked for.
for (const stream of [process.stderr, process.stdout]) stream.on('error', () => undefined);

const refuse = function refused(): never {
  throw new Error('The cage has no network.');
};

function close(target: object): void {
  for (const name of Object.getOwnPropertyNames(target)) {
    const known = Object.getOwnPropertyDescriptor(target, name);
    if (typeof known?.value !== 'function' || known.writable === false || name === 'constructor') continue;
    Object.defineProperty(target, name, { value: refuse, writable: false, configurable: false });
  }
}

const net = require('node:net') as typeof import('node:net');
for (const prototype of [net.Socket.prototype, net.Server.prototype])
  for (const name of ['connect', 'listen'])
    if (name in prototype)
      Object.defineProperty(prototype, name, { value: refuse, writable: false, configurable: false });

for (const id of ['net', 'tls', 'http', 'https', 'http2', 'dgram', 'dns', 'dns/promises', 'inspector', 'cluster'])
  close(require(`node:${id}`) as object);

for (const name of ['fetch', 'WebSocket', 'EventSource', 'WebTransport'])
  Object.defineProperty(globalThis, name, { value: undefined, writable: true, configurable: true });

/** Of what is left in it webR reads the constants alone; the others are ways around everything above. */
const { constants } = require('node:os') as typeof import('node:os');
const fs = (require('node:fs') as typeof import('node:fs')).constants;
Object.defineProperty(process, 'binding', {
  value: (name: string) => (name === 'constants' ? { os: constants, fs } : refuse()),
  writable: false,
  configurable: false,
});
for (const name of [
  '_linkedBinding',
  'dlopen',
  'kill',
  '_kill',
  '_debugProcess',
  '_debugEnd',
  '_startProfilerIdleNotifier',
])
  if (name in process) Object.defineProperty(process, name, { value: refuse, writable: false, configurable: false });

syncBuiltinESMExports();
