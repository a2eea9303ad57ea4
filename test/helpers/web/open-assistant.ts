/** An assistant at `catalog mcp`, over the protocol, with a client of its makers. */

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";

import type { TestStore } from "../markets/test-store.ts";
import { PROCESS_ENV } from "../processes/catalog-process.ts";
import { SOURCE_PATHS, toAbsolutePath } from "../source-paths.ts";
import type { ProgramsServer } from "./open-programs.ts";

const MAIN = toAbsolutePath(SOURCE_PATHS.catalogProgram);

export interface Assistant {
  /** Calls a tool; a refusal is a text as well. */
  readonly call: (name: string, given: Readonly<Record<string, unknown>>) => Promise<string>;
  readonly tools: readonly string[];
}

/** Starts the command in the folder of the store, and connects to it. */
export async function openAssistant(
  shop: TestStore,
  { origin }: ProgramsServer,
  key: string,
): Promise<Assistant> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, "mcp", "--url", origin],
    cwd: shop.folder,
    env: { ...PROCESS_ENV, HOME: shop.folder, CATALOG_API_KEY: key },
    stderr: "pipe",
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  return {
    tools: tools.map(({ name }) => name),
    async call(name, given) {
      try {
        return JSON.stringify((await client.callTool({ name, arguments: { ...given } })).content);
      } catch (error) {
        return String(error);
      }
    },
  };
}
