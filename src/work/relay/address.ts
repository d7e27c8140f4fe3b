// Owns the addresses to which a webhook may lead. INVARIANT: the address that is checked is the one that is
// connected to: names are resolved once, by the connection itself, so that a name which resolves to another
// address a moment later (DNS rebinding) leads nowhere.
import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { webhookErrors } from './errors.js';

const FORBIDDEN = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  FORBIDDEN.addSubnet(net, prefix, 'ipv4');
/** Of IPv6 only global unicast is public, and there not what embeds an IPv4 address or is for examples. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet('2000::', 3, 'ipv6');
for (const [net, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  FORBIDDEN.addSubnet(net, prefix, 'ipv6');

/** Whether a connection to this address leaves for the public network. */
export function isPublic(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !FORBIDDEN.check(address, 'ipv4');
    case 6:
      return GLOBAL.check(address, 'ipv6') && !FORBIDDEN.check(address, 'ipv6');
    default:
      return false;
  }
}

const refused = (host: string, address: string) =>
  webhookErrors.webhook_address_refused(
    host === address
      ? `${address} is not a public address`
      : `\`${host}\` leads to ${address}, which is not a public address`,
  );

/** Throws for a URL that may not be called. Names are checked by `lookupFor`, when they are resolved. */
export function requirePermitted(url: URL, allowPrivate: boolean): void {
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    throw webhookErrors.webhook_address_refused(`the address is ${url.protocol}// and not https://`);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!allowPrivate && isIP(host) !== 0 && !isPublic(host)) throw refused(host, host);
}

/** The name resolution of a connection. One private address among those of a name refuses the name. */
export function lookupFor(allowPrivate: boolean): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '', 0);
      const wrong = allowPrivate ? undefined : found.find(({ address }) => !isPublic(address));
      const [first] = found;
      if (wrong !== undefined || first === undefined)
        return callback(refused(host, wrong?.address ?? 'no address'), '', 0);
      if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}
