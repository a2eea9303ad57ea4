/** Forms of logins, and of the addresses that people come from. */

/** The one form of a login, also where a Turkish keyboard has made a capital of it. */
export const toLogin = (typed: string): string =>
  typed.normalize("NFKC").trim().replaceAll("İ", "i").replaceAll("ı", "i").toLowerCase();

export const isLogin = (login: string): boolean => /^[^\s\p{C}]{1,254}$/u.test(login);

/** Whether a text can be the name of a person. */
export const isPersonName = (name: string): boolean => /^[^\p{C}]{1,100}$/u.test(name);

const HEXTETS = 8;
/** Whoever has one address of such a part has all of them. */
const NETWORK_HEXTETS = 4;
const MAPPED = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/u;

/** The part of an address by which tries are counted: of IPv6 the first half. */
export function toNetwork(address: string): string {
  const [bare = ""] = address.split("%", 1);
  const canonical = bare.includes(":") ? URL.parse(`http://[${bare}]/`)?.hostname : undefined;
  if (canonical === undefined) return bare;
  const [, high, low] = MAPPED.exec(canonical) ?? [];
  if (high !== undefined && low !== undefined) return toDotted([high, low]);
  const [head = "", tail = ""] = canonical.slice(1, -1).split("::");
  const [first, last] = [toHextets(head), toHextets(tail)];
  const zeros = Array.from({ length: HEXTETS - first.length - last.length }, () => "0");
  return `${[...first, ...zeros, ...last].slice(0, NETWORK_HEXTETS).join(":")}::/64`;
}

const toHextets = (text: string): readonly string[] => (text === "" ? [] : text.split(":"));

/** An address of IPv4 that came as one of IPv6. */
const toDotted = (hextets: readonly string[]): string =>
  hextets
    .map((hextet) => Number.parseInt(hextet, 16))
    .flatMap((pair) => [pair >> 8, pair & 0xff])
    .join(".");
