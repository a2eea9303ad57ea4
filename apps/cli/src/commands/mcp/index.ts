// `import type` loads nothing at run time, unlike `import { type … }`.
import type { Readable, Writable } from "node:stream";

import type { Command } from "../../context.ts";
import type { Environment } from "../../settings/settings.ts";

/** What the command uses besides its context. */
export interface McpParts {
  readonly env: Environment;
  readonly version: string;
  readonly fetch: typeof fetch;
  /** Streams of the protocol; nothing else is written to them. */
  readonly streams: { readonly stdin: Readable; readonly stdout: Writable };
}

/** `catalog mcp`: lets an assistant plan and look things up on a server; it can send nothing. */
export const createMcpCommand = (parts: McpParts): Command => ({
  name: "mcp",
  positionals: [],
  describe: {
    tr: "Bir yapay zekâ asistanına bu işleri açar (MCP); hiçbir şey gönderemez",
    en: "Lets an assistant plan and look up (MCP); it can send nothing",
  },
  flags: {
    url: {
      type: "string",
      describe: {
        tr: "Sunucunun adresi (yoksa CATALOG_API_URL)",
        en: "Address of the server (else CATALOG_API_URL)",
      },
    },
    folder: {
      type: "string",
      describe: {
        tr: "Dosyaların okunup yazıldığı klasör (yoksa bu klasör)",
        en: "Folder of files it reads and writes (else this one)",
      },
    },
  },
  examples: ["mcp --url https://katalog.example.com"],
  run: async (context, flags) => (await import("./run.ts")).runMcpCommand(context, parts, flags),
});
