/** The icon of the page: a drawing, and a PNG of it, which the icons of Windows and macOS contain. */

export const ICON_SVG: string = [
  '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 256 256">',
  '<rect x="16" y="16" width="224" height="224" rx="52" fill="#1f5fbf"/>',
  '<g fill="#fff">',
  '<rect x="60" y="64" width="40" height="40" rx="9"/>',
  '<rect x="60" y="112" width="40" height="40" rx="9"/>',
  '<rect x="60" y="160" width="40" height="40" rx="9" fill="#a9cbff"/>',
  '<rect x="116" y="75" width="80" height="18" rx="9"/>',
  '<rect x="116" y="123" width="80" height="18" rx="9"/>',
  "</g>",
  '<path d="M124 180l18 18 38-36" fill="none" stroke="#fff" stroke-width="18" stroke-linecap="round" stroke-linejoin="round"/>',
  "</svg>",
].join("");

/** 256 pixels. */
const PNG = [
  "iVBORw0KGgoAAAANSUhEUgAAAQAAAAEABAMAAACuXLVVAAAAMFBMVEVMaXEeXr8eXr8eXr8eXr8fX74fX7////+py/",
  "/09/xZidA9dsqlwOjI2O/d5/Z/p+SyUnFxAAAABnRSTlMAVebJnR+62A2jAAAACXBIWXMAAAsTAAALEwEAmpwYAAAE",
  "tElEQVR42u2dv09TURTHC7R744/OGrWzGO0MGjrjj7DTwk1six1fSqCuTTRxs0lNHCFNnBsYZCzGQTcY3CUG58LgYK",
  "SCfe++H+f+OPe0cr7/wPvke+8598fJOzeVYrFYLBaLxYrT42uP7uWFgUq37s9f1//8Q2FFt/UQpix9/gwhq/79Z3lh",
  "UaV51e9fFZY1S/x9RYIrAkE3FcZfoGgB+v20QBIwFjIFLIDyIt0EUJgGaYGoOQBAAROgnPz9pwJVDxJnYB4XoJQ0D5",
  "8IZN2hCkGgBTMCXXfpQgAQCGnhQHG5IOcCYJkuBhOn4YxwouhpWHQDEDkGGeFIi5QxEBcHOVcAUWOQdwVQijgKCWfK",
  "UgZhdCDm3AEsUy1EsQtSRjjUImUWiMoE0y4BbtDOwfBZWHQJsEKZByNyodMgCAuDKbcAWdooDIvDabcAchwuuQVYpU",
  "0DYYmAHKDoFmBl/AAKbgHKYIDKl7Z3ocbPLTSAiKWgeuj5tNnDWgwiALpeQB0sgAgD2kGAhiULgABrnqQDpwDbMsC6",
  "U4B9GWDDKcCRDNB0CtCWARpOAbwQMUBEmg5TTOq2ARBM02GKTN02ALoeQB08gGobAhCVui0ArHkgHaABbMMA1tEA9m",
  "EAG2gARzCAJhpAGwbQ+H8ByIeAfBKShyF5IiJPxeSLEf1yTL4huRR7QvJtOfnBhPxoRn44JT+ek19QoF3RgAGwLqnA",
  "AFjXdHAALDEAAzDA5ABQJyLyVEy9GHG9gOsFXC/gsyHXC7hewPUCrhdwvYDrBVwv4HoB1wt4T8j1Aq4XcL2A6wVcL9",
  "DXhx/vP1MCfPwzYt/oACpnE6exRQbwN3rfUQFUzoOWCuDkPG63aADqF4mjbw5Q/dUa0deekgHed/NUfNry6Q2AoPYv",
  "db41BthpBfQqGWDfIkC1JamnYID5ENRlgEESwOj6aTwJd2SApDHwbaKMw/BUBnijYIB5IvokA7yO//7eqAHmqbgVot",
  "jvV0dPEhYWI2WAPej+EQkAbIAdAHnXsztqwLFABpB3PZXRY0SzhwwQsuvpgg2wAbArzTQFA2wAHEpTbVvhDGkOUJGC",
  "re7BkqAlgJoUbScqh2hzgBfBfFNXusYwB3geTDi+25S+S4ChBTW1exybQzC0wGfAwAFAzb/q+PYhL4UDgIp/2TlUM8",
  "BiIhpasKZ6kWYvFQ8tAC/D1hcjhRKB9eU4omABMsAKQIQFHb07orzGjqirUiQSWv+exwOEWnAs9AAKOpvSEAuaPav9",
  "BxIOJiEWHOv2HyhqHc264CqZ0OtBkXQ4lSw40O5BkdM7ngcs2BSW+5AkXlAELOjrAyxpXtF09epJq9BmOImXVD4L+g",
  "bNcNK613RdrYLanL2GSCMWDIRBQ6SM6cU0aCMmYjqj5Y0tGJg1CCyaWtAxbAuWQ6xOgBqjTSPWZ0Ct4dKIFSpQczzy",
  "9oDkDRLpW0SSN8kkbxPqrkFgeVxbxZI3yyVvF+xqDJbHt2U0edNs8rbh9I3TyVvH0zfPJ38+gPwBBXQLEp+QIH9Eg/",
  "4ZEfqHVMifkqF/TAdvc5idlAeVkKbB7CQ9qkX/rJj1h9UWUqlJe1ouRf643hg8L8hisVgsFuty6Deuc+LQhcMl/AAA",
  "AABJRU5ErkJggg==",
].join("");

const readPng = (): Buffer => Buffer.from(PNG, "base64");

/** An icon of Windows: a folder of one image, which is a PNG. */
export function createIco(): Uint8Array {
  const png = readPng();
  const head = Buffer.alloc(22);
  // The kind (1: icon), and the number of images.
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  // Its edges, where 0 stands for 256, its planes, bits, bytes and place.
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

/** An icon of macOS: one image of the kind for 256 pixels. */
export function createIcns(): Uint8Array {
  const png = readPng();
  const head = Buffer.alloc(16);
  head.write("icns", 0, "latin1");
  head.writeUInt32BE(head.length + png.length, 4);
  head.write("ic08", 8, "latin1");
  head.writeUInt32BE(8 + png.length, 12);
  return Buffer.concat([head, png]);
}
