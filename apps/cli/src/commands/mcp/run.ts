/** Serves the Model Context Protocol on the standard streams until they are closed. */

import { EXIT, type Flags, readFlag } from "@catalog/console";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

import type { CommandContext } from "../../context.ts";
import type { McpParts } from "./index.ts";
import { openServerCalls } from "./server-calls.ts";
import { createMcpServer } from "./tools.ts";

export async function runMcpCommand(
  { lang, clock, resolve, stop }: CommandContext,
  { env, version, fetch: ask, streams: { stdin, stdout } }: McpParts,
  flags: Flags,
): Promise<number> {
  const calls = await openServerCalls({
    url: readFlag.text(flags, "url") ?? env["CATALOG_API_URL"],
    key: env["CATALOG_API_KEY"],
    fetch: ask,
    lang,
  });
  const folder = resolve(readFlag.text(flags, "folder") ?? ".");
  const server = createMcpServer({ calls, folder, version, clock });
  const ended = Promise.withResolvers<void>();
  const transport = new StdioServerTransport(stdin, stdout);
  const end = (): void => ended.resolve();
  stdin.once("end", end);
  stdin.once("close", end);
  stop.addEventListener("abort", end, { once: true });
  await server.connect(transport);
  await ended.promise;
  await server.close();
  return EXIT.done;
}
