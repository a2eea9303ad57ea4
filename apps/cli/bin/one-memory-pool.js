/**
 * Starts the program again in the same process, so that the C library keeps one pool of free memory.
 * By default it keeps one for each thread, and a command that packs and compiles on several threads
 * takes 50 MB more. The library reads the setting only when a program starts.
 */

const SETTING = "MALLOC_ARENA_MAX";
/** Marks the second start, so that programs started later do not inherit the setting. */
const MARK = "CATALOG_ONE_MEMORY_POOL";

/** Does nothing where a person has made the setting, and where the system cannot do it. */
export function useOneMemoryPool() {
  const { env, execPath, execArgv, argv, platform } = process;
  if (env[MARK] !== undefined) {
    delete env[MARK];
    delete env[SETTING];
    return;
  }
  // The channel to the program that started this one would not survive a second start.
  if (process.channel != null) return;
  if (platform !== "linux" || env[SETTING] !== undefined || process.execve === undefined) return;
  const words = [execPath, ...execArgv, ...argv.slice(1)];
  process.execve(execPath, words, { ...env, [SETTING]: "1", [MARK]: "1" });
}
