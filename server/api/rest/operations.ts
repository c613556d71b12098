import { appRouter } from '../router';
import { type BridgedProcedure, listOperations } from './routes';

/** Every REST operation of the product. */
export const operations = listOperations(appRouter._def.procedures as unknown as Record<string, BridgedProcedure>);
