export { Script, type ScriptExit, type SpawnScriptOptions } from './child-process.js';
export { type MariadbDatabase, mariadbDatabase } from './vitest/mariadb-database.js';
export { type PostgresDatabase, postgresDatabase } from './vitest/postgres-database.js';
export { spawnScript } from './vitest/spawn-script.js';
export { type TestDatabase, testDatabase } from './vitest/test-database.js';
