/** How the lane's server asks an address: the project's one way (adapters/node/public-fetch.ts). */
export { askPublic, UnansweredError, WIRE, type Wire } from '#adapters/node/public-fetch.ts';
