import { startSandbox } from "@catalog/sandbox";

import { testClient } from "./client-suite.ts";

testClient("the sandbox as it is by default", () => startSandbox({ products: 60 }));
