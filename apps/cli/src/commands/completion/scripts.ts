/** Scripts with which a shell asks this program for completions. */

import { COMPLETE_FLAG } from "../../completion-words.ts";

/** The shells that have a script. */
export const SHELLS = ["bash", "zsh"] as const;

export type Shell = (typeof SHELLS)[number];

/** Whether a shell has a script. */
export function isShell(text: string): text is Shell {
  return SHELLS.some((shell) => shell === text);
}

/**
 * Completes the command `catalog`, also where it is typed with its path; offers files where the
 * program has no answer. The given words start the program from every folder.
 */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, (program: string) => string>> = {
  bash: (program) => `_catalog_complete() {
  local IFS=$'\\n'
  COMPREPLY=($(${program} ${COMPLETE_FLAG} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  if [ "\${#COMPREPLY[@]}" -eq 0 ]; then compopt -o default 2>/dev/null; fi
}
complete -F _catalog_complete catalog
`,
  zsh: (program) => `_catalog_complete() {
  local -a answers
  answers=("\${(@f)$(${program} ${COMPLETE_FLAG} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${answers[1]}" ]]; then compadd -a answers; else _files; fi
}
compdef _catalog_complete catalog
`,
};
