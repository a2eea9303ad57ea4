/** The command for the program; importing it loads no server. */

export { createWebCommand } from "./commands/web/index.ts";
export {
  type WebContext,
  type WebLogin,
  type WebParts,
  type WebSandbox,
  type WebSandboxOptions,
} from "./commands/web/web-parts.ts";
