import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import { ANNOUNCE } from '../server/platform/database/compatibility';
import { DatabaseClient } from '../server/platform/database/database-client';

export type SchemaEngine = bindings.SchemaEngine;

export const NO_FILTER = { externalTables: [], externalEnums: [] };
const WASM = '@prisma/schema-engine-wasm/schema_engine_bg';

/** The engine tells this global what went wrong inside it, just before it fails with a bare "unreachable". */
class PanicRegistry {
  message = '';

  set_message(message: string): void {
    this.message = message;
    console.error(message);
  }
}

let loaded: Promise<void> | null = null;

/** The engine never clears its time limits; unreferenced, they do not keep the process alive until they are over. */
function importsOfEngine(): WebAssembly.ModuleImports {
  const imports: WebAssembly.ModuleImports = { ...bindings };
  for (const [name, value] of Object.entries(imports)) {
    if (!name.startsWith('__wbg_setTimeout_') || typeof value !== 'function') continue;
    imports[name] = (...args: unknown[]) => (value(...args) as NodeJS.Timeout).unref();
  }
  return imports;
}

/** The package's own entry imports the .wasm file as a module, which Node does not do without a flag. */
async function load(): Promise<void> {
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: new PanicRegistry() });
  const path = createRequire(import.meta.url)
    .resolve(WASM)
    .replace(/\.js$/, '.wasm');
  const module = await WebAssembly.instantiate(await readFile(path), { './schema_engine_bg.js': importsOfEngine() });
  const { exports } = module.instance;
  bindings.__wbg_set_wasm(exports);
  const start = exports.__wbindgen_start;
  if (typeof start !== 'function') throw new Error('The schema engine cannot be started: its package has changed.');
  start();
}

/** Held while a script runs: PostgreSQL goes on with it for a while when its client is killed, and may commit it. */
export const SCRIPT_LOCK = 823_471_108;
/** What a script may wait for the lock of a table. Meanwhile every query of this table waits behind it. */
const LOCK_TIMEOUT_MS = 2_000;
/** Records the running migration as finished. The engine does so too, but afterwards, which a process that is killed never reaches. */
const FINISH = `
  do $$ begin
    if to_regclass('_prisma_migrations') is not null then
      update _prisma_migrations set finished_at = now() where finished_at is null and rolled_back_at is null;
    end if;
  end $$`;

/**
 * The adapter cuts a script at every semicolon, which breaks functions, and runs the parts one by one, which leaves half
 * of a script that fails. Sent whole, PostgreSQL runs it in one transaction.
 */
class WholeScripts extends PrismaPg {
  /** PostgreSQL's code of the last error of a script; the engine passes on only its text, which is in the server's language. */
  private failure: string | null = null;

  /** Returns that code once, so that a later error of another kind is not taken for it. */
  takeFailure(): string | null {
    const { failure } = this;
    this.failure = null;
    return failure;
  }

  override async connect() {
    const adapter = await super.connect();
    adapter.executeScript = async (sql) => {
      const limits = `select pg_advisory_xact_lock(${SCRIPT_LOCK}); set local lock_timeout = ${LOCK_TIMEOUT_MS};`;
      const whole = `${limits}\n${sql}\n;${FINISH}`;
      try {
        await adapter.executeRaw({ sql: whole, args: [], argTypes: [] });
      } catch (error) {
        this.failure = (error as { cause?: { originalCode?: string } }).cause?.originalCode ?? null;
        throw error;
      }
    };
    return adapter;
  }
}

/**
 * Runs `work` with Prisma's schema engine, which lives inside Node and needs no download.
 *
 * @param databaseUrl the database it works on; comparing two schemas asks it for its version only
 * @param work gets the engine, and a function that returns PostgreSQL's code of the last error of a script once
 */
export async function withSchemaEngine<T>(
  databaseUrl: string,
  work: (engine: SchemaEngine, takeFailure: () => string | null) => Promise<T>,
): Promise<T> {
  loaded ??= load();
  await loaded;
  const pool = new pg.Pool({
    Client: DatabaseClient,
    connectionString: databaseUrl,
    application_name: 'upwatch-migrate',
    connectionTimeoutMillis: 10_000,
    onConnect: (client) =>
      client.query(`select set_config('TimeZone', 'UTC', false), ${ANNOUNCE}`).then(() => undefined),
    allowExitOnIdle: true,
  });
  // Connections close a little after the pool has ended, and what befalls them then is nobody's concern.
  pool.on('error', () => undefined);
  try {
    const scripts = new WholeScripts(pool, { onPoolError: () => undefined });
    const adapter = bindMigrationAwareSqlAdapterFactory(scripts);
    const engine = await bindings.SchemaEngine.new({ datamodels: undefined }, () => undefined, adapter);
    try {
      return await work(engine, () => scripts.takeFailure());
    } finally {
      engine.free();
    }
  } finally {
    await pool.end();
  }
}
