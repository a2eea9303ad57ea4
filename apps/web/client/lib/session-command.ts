/** The command that prints a new link, also for a tab without a session. */

const COMMAND = "catalog web";

/** The command in the answer about the page, which names it with and without a session. */
export const parseCommand = (text: string): string => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("command" in value)) return COMMAND;
    return typeof value.command === "string" ? value.command : COMMAND;
  } catch {
    // The answer came from something else than the program.
    return COMMAND;
  }
};

/** Asks the program for its command; the plain one where it does not answer. */
export const readCommand = async (): Promise<string> => {
  try {
    const response = await fetch("/api/me");
    return parseCommand(await response.text());
  } catch {
    return COMMAND;
  }
};
