export {
  createFakeTerminal,
  type FakeTerminal,
  type FakeTerminalOptions,
} from "./fake-terminal.ts";
