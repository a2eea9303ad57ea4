/** The exit codes of a command. They are relied on from outside. */
export const EXIT = {
  done: 0,
  /** A mistake of this program. */
  bug: 1,
  /** The command line or the settings are wrong. */
  usage: 2,
  /** The file was refused as a whole, or not one of its rows was good. */
  nothingSent: 3,
  /** The marketplace refused the login or has not granted a call. */
  login: 4,
  /** All is done but for some rows or records. */
  someFailed: 5,
  /** It ended before all was done, and can be gone on with. */
  stopped: 6,
  /** Another process is at work on the same store. */
  busy: 75,
  /** Stopped by a signal. */
  interrupted: 130,
} as const;
