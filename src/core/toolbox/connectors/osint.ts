/** `osint`: open registers about domains and addresses: RDAP, DNS over HTTPS, certificates (crt.sh), the Wayback Machine. */
import { declaredTool, readDeclared } from './declared.ts';

/** rdap.org leads to the register of the ending; registers that are none of these are refused by their name. */
const REGISTERS = [
  ...['rdap.org', 'cloudflare-dns.com', 'crt.sh', 'web.archive.org', 'rdap.verisign.com', 'rdap.arin.net'],
  ...['rdap.db.ripe.net', 'rdap.apnic.net', 'rdap.lacnic.net', 'rdap.afrinic.net', 'rdap.nic.ch', 'rdap.denic.de'],
  ...['rdap.publicinterestregistry.org', 'rdap.identitydigital.services', 'rdap.centralnic.com', 'rdap.nominet.uk'],
  ...['rdap.nic.fr', 'rdap.sidn.nl', 'pubapi.registry.google', 'rdap.registry.in', 'rdap.nic.google'],
];

export const osint = declaredTool(
  readDeclared(
    String.raw`
name: osint
about: Open registers of domains and addresses.
base: https://rdap.org
hosts: [${REGISTERS.join(', ')}]
licence: terms of each register
attribution: rdap.org, Cloudflare, crt.sh, Internet Archive
limits: { every_ms: 1000, seconds: 30 }
endpoints:
  domain:
    about: who keeps a domain (RDAP)
    path: /domain/{domain}
    input:
      domain: { type: text, required: true, max: 253 }
    accept: application/rdap+json, application/json
    rows: $
    columns:
      name: $.ldhName
      handle: $.handle
      status: $.status[*]
      events: $.events[*].eventAction
      dates: $.events[*].eventDate
      nameservers: $.nameservers[*].ldhName
      registrar: $.entities[*].handle
  address:
    about: whose an address is (RDAP)
    path: /ip/{ip}
    input:
      ip: { type: text, required: true, max: 45 }
    accept: application/rdap+json, application/json
    rows: $
    columns: { name: $.name, handle: $.handle, from: $.startAddress, to: $.endAddress, country: $.country, type: $.type }
  dns:
    about: records of a name (DNS over HTTPS; type A, AAAA, MX, NS, TXT, CNAME, SOA, CAA)
    base: https://cloudflare-dns.com
    path: /dns-query
    input:
      name: { type: text, required: true, max: 253 }
      type: { type: text, default: A, choices: [A, AAAA, MX, NS, TXT, CNAME, SOA, CAA] }
    query: { name: '{name}', type: '{type}' }
    accept: application/dns-json
    rows: $.Answer[*]
    columns: { name: $.name, type: $.type, ttl: $.TTL, data: $.data }
  certificates:
    about: certificates that were made for a name (crt.sh)
    base: https://crt.sh
    path: /
    input:
      name: { type: text, required: true, max: 253 }
    query: { q: '{name}', output: json }
    rows: $[*]
    columns: { id: $.id, name: $.common_name, names: $.name_value, issuer: $.issuer_name, from: $.not_before, to: $.not_after }
  snapshots:
    about: what the Wayback Machine has of an address (url)
    base: https://web.archive.org
    path: /cdx/search/cdx
    input:
      url: { type: text, required: true, max: 1000 }
      from: { type: text, max: 14 }
      to: { type: text, max: 14 }
    query: { url: '{url}', from: '{from}', to: '{to}', output: json, limit: 1000, fl: 'timestamp,original,mimetype,statuscode,digest,length' }
    rows: $[1:]
    columns: { time: '$[0]', address: '$[1]', type: '$[2]', status: '$[3]', digest: '$[4]', bytes: '$[5]' }
example: { endpoint: dns, name: example.org, type: A }
`,
    'osint',
  ),
);
