/** The exit codes of a command. Other programs rely on them, so they must not change. */
export const EXIT = {
  done: 0,
  /** A bug of this program. */
  bug: 1,
  /** The command line or the settings are wrong. */
  usage: 2,
  /** The file was refused as a whole, or none of its rows was valid. */
  nothingSent: 3,
  /** The marketplace refused the login or has not granted a call. */
  login: 4,
  /** Done, except for some rows or records. */
  someFailed: 5,
  /** Ended early; the command can be resumed. */
  stopped: 6,
  /** Another process works on the same store. */
  busy: 75,
  /** Stopped by a signal. */
  interrupted: 130,
} as const;
