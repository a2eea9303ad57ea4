import { openWatched } from "../../helpers/markets/watched-sandbox.ts";
import { testClient } from "./client-suite.ts";

testClient("the sandbox as it is by default", () => openWatched({ products: 60 }));
