/**
 * How addresses are shown. What a person gives as an address may hold a password or a key, above all
 * where it does not parse: a password with a slash, a blank in the host, a scheme that is misspelt.
 */

/** A scheme of at least two letters, as one is a Windows drive, or `user:password@` without one. */
const ADDRESS = /^(?:[a-z][a-z\d+.-]+:[/\\]{2}|[^\s/\\:@]{2,}:[^\s@]+@)/iu;

/** Whether a text is meant as an address and not as a path; it may be one that cannot be opened. */
export const isAddress = (text: string): boolean => ADDRESS.test(text);

const SCHEME = /^\s*[a-z][a-z\d+.-]*:[/\\]+/iu;

/**
 * An address without its credentials, query and fragment, any of which may be a secret. A text that
 * does not parse loses whatever may be one, and where that cannot be told apart everything but its
 * scheme. The address of a result is that result.
 */
export function bareAddress(address: string): string {
  const url = URL.parse(address);
  // Hosts of schemes that browsers do not know keep their case.
  if (url !== null && url.host !== "")
    return `${url.protocol}//${url.host.toLowerCase()}${barePath(url.pathname)}`;
  const [scheme = ""] = SCHEME.exec(address) ?? [];
  const rest = address.slice(scheme.length);
  const at = rest.lastIndexOf("@");
  const query = rest.search(/[?#]/u);
  // Either the password has such a sign in it, or the query has an @.
  if (query !== -1 && query < at) return `${scheme}…`;
  const bare = scheme + rest.slice(at + 1, query === -1 ? undefined : query);
  return bare === address ? bare : bareAddress(bare);
}

/** A second address in a path may have credentials as well. */
const barePath = (path: string): string =>
  path === ""
    ? "/"
    : path
        .split("/")
        .map((part) => {
          const at = part.lastIndexOf("@");
          return part.slice(0, Math.max(at, 0)).includes(":") ? part.slice(at + 1) : part;
        })
        .join("/");
