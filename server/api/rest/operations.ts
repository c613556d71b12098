import { appRouter } from '../router';
import { toBridgeRouter } from './bridge-router';
import { type BridgedProcedure, listOperations } from './operation';

/** Every REST operation of the product. */
export const operations = listOperations(appRouter._def.procedures as unknown as Record<string, BridgedProcedure>);

/** The same for the bridge library, which calls and documents them. */
export const bridgeRouter = toBridgeRouter(appRouter, operations);
