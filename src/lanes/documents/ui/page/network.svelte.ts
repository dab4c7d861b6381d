/** Whether the browser says that there is a network. */
class Network {
  online = $state(navigator.onLine);

  constructor() {
    for (const event of ['online', 'offline']) window.addEventListener(event, () => (this.online = navigator.onLine));
  }
}

export const network = new Network();
