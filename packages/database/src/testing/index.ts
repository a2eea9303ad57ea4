export { createTestDatabase, hasPostgres, type TestDatabase } from "./test-database.ts";
export {
  findPostgres,
  findServerParent,
  startPostgres,
  type PostgresServer,
} from "./postgres-server.ts";
export { openTcpProxy, type TcpProxy, type TcpProxyOptions } from "./tcp-proxy.ts";
