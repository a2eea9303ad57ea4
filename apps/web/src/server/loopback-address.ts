/** Whether an address is of this computer, whatever program answers there. */
export function isLoopbackAddress(address: string): boolean {
  const { hostname = "" } = URL.parse(address) ?? {};
  const isName = hostname === "localhost" || hostname === "[::1]";
  return isName || /^127(?:\.\d+){3}$/u.test(hostname);
}
