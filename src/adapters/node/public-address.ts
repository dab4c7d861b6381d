/** Which addresses of the internet protocol are somebody's on the public internet. */
import ipaddr from 'ipaddr.js';

/** `2000::/3`: what is given out of IPv6. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Not: loopback, private, link-local, shared (CGNAT), multicast, reserved, and forms of IPv6 that carry another address
 * (mapped, 6to4, Teredo, NAT64).
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv6 ? address.match(GLOBAL) : ipaddr.IPv4.isValidFourPartDecimal(text);
}
