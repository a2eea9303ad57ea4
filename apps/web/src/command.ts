/** The command for the program; importing it loads no server. */

export {
  createWebCommand,
  type WebContext,
  type WebLogin,
  type WebParts,
  type WebSandbox,
  type WebSandboxOptions,
} from "./commands/web/index.ts";
