/**
 * The IP addresses that a download may go to: only those that the IANA registries of
 * special-purpose addresses leave for the public internet. No IPv6 form that contains an IPv4
 * address is public here, because it would bypass the list of IPv4 ranges.
 */

import { BlockList, isIPv4, isIPv6 } from "node:net";

const SPECIAL_V4 = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8",
  "100.64.0.0/10", // carrier-grade NAT
  "127.0.0.0/8",
  "169.254.0.0/16", // link-local, where clouds serve instance metadata
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4", // multicast
  "240.0.0.0/4",
];

/** All publicly routed addresses lie in this range. */
const GLOBAL_V6 = "2000::/3";

const SPECIAL_V6 = [
  "2001::/23", // Teredo, benchmarks, ORCHID and other protocols
  "2001:db8::/32",
  "2002::/16", // contains an IPv4 address (6to4)
  "2620:4f:8000::/48",
  "3fff::/20",
];

const specialV4 = createList(SPECIAL_V4, "ipv4");
const specialV6 = createList(SPECIAL_V6, "ipv6");
const globalV6 = createList([GLOBAL_V6], "ipv6");

function createList(ranges: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits] = range.split("/");
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

/** Whether an address belongs to the public internet; false for a text that is no IP address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialV4.check(address, "ipv4");
  // A zone names an interface of this machine.
  if (!isIPv6(address) || address.includes("%")) return false;
  return globalV6.check(address, "ipv6") && !specialV6.check(address, "ipv6");
}
