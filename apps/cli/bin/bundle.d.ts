/** Names of the files of the bundle in `folder`; none where it is not current. Never throws. */
export function readCurrentFiles(folder: URL): readonly string[];
