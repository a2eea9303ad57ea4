/** Packs what is published into `out`: the program and the libraries. */

import { fileURLToPath } from "node:url";

import { packLibraries } from "./pack-libraries.ts";

// A script, which packs the program as it is loaded and prints the path of the archive.
await import("../../apps/cli/build/pack-program.ts");

const out = fileURLToPath(new URL("../../out", import.meta.url));
for (const { filename, size, unpackedSize, dependencies } of await packLibraries(out)) {
  const sizes = [size, unpackedSize].map((bytes) => `${Math.round(bytes / 1024)} kB`);
  const names = Object.keys(dependencies).join(", ");
  console.log(`out/${filename}: ${sizes.join(", unpacked ")}; depends on ${names}`);
}
