/*
 * The outer half of the toolbox's cage. It is served with a policy of its own (docs/decisions/102-toolbox-cage-browser.md):
 * nothing may be fetched, nothing connected to. What it starts from a `data:` address inherits that policy and belongs to no
 * origin, so that it has no storage either. The program comes as a text: an address may be 2 MB long at most.
 */
const INNER = `addEventListener('message', async ({ data, ports }) => {
  const address = URL.createObjectURL(new Blob([data.program], { type: 'text/javascript' }));
  try {
    await import(address);
    URL.revokeObjectURL(address);
    dispatchEvent(new MessageEvent('message', { data: data.first, ports }));
  } catch (error) {
    postMessage({ failed: 'Error: ' + error });
  }
}, { once: true });`;

onmessage = ({ data, ports }) => {
  const inner = new Worker(`data:text/javascript,${encodeURIComponent(INNER)}`, { type: 'module' });
  inner.onmessage = (event) => postMessage(event.data);
  inner.onerror = (event) => postMessage({ failed: String(event.message ?? 'it ended by itself') });
  inner.postMessage(data, ports);
};
