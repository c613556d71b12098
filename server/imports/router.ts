import { z } from 'zod';
import { NoInput, operations, router, teamProcedure } from '@/server/trpc/procedures';
import { addPart } from './add-part';
import { createImport } from './create-import';
import { getImport, listImports } from './list-imports';
import { previewImport } from './preview-import';
import { readImport } from './read-import';
import { runImport } from './run-import';
import {
  AddPartInput,
  CreateImportInput,
  Import,
  ImportPreview,
  ImportReport,
  ReadImportInput,
  StartImportInput,
  UndoImportInput,
} from './schema';
import { startImport } from './start-import';
import { undoImport } from './undo-import';

const read = teamProcedure({ role: 'member', scope: 'read' });
const write = teamProcedure({ role: 'member', scope: 'write' });
const rest = operations('Imports');
const all = '/api/v1/imports';
const one = '/api/v1/imports/{id}';
const ById = z.strictObject({ id: z.string().max(64) });
const One = z.object({ import: Import });

export const importsRouter = router({
  list: read
    .meta(rest('GET', all, 'List imports'))
    .input(NoInput)
    .output(z.object({ imports: z.array(Import) }))
    .query(async ({ ctx }) => ({ imports: await listImports({ ctx, input: undefined }) })),
  get: read
    .meta(rest('GET', one, 'Get an import'))
    .input(ById)
    .output(ImportReport)
    .query(({ ctx, input }) => getImport({ ctx, input })),
  create: write
    .meta(rest('POST', all, 'Create an import', { created: true, errors: ['EDIT_CONFLICT'] }))
    .input(CreateImportInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ import: await createImport({ ctx, input }) })),
  addPart: write
    .meta(rest('POST', `${one}/parts`, 'Upload a part of a file', { errors: ['EDIT_CONFLICT'] }))
    .input(AddPartInput)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => addPart({ ctx, input })),
  read: write
    .meta(rest('POST', `${one}/read`, 'Read the file of an import', { errors: ['EDIT_CONFLICT'] }))
    .input(ReadImportInput)
    .output(ImportPreview)
    .mutation(({ ctx, input }) => readImport({ ctx, input })),
  preview: read
    .meta(rest('GET', `${one}/preview`, 'Preview an import', { errors: ['EDIT_CONFLICT'] }))
    .input(ById)
    .output(ImportPreview)
    .query(({ ctx, input }) => previewImport({ ctx, input })),
  start: write
    .meta(rest('POST', `${one}/start`, 'Start an import', { errors: ['EDIT_CONFLICT', 'PLAN_LIMIT_REACHED'] }))
    .input(StartImportInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ import: await startImport({ ctx, input }) })),
  run: write
    .meta(rest('POST', `${one}/run`, 'Run an import'))
    .input(ById)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ import: await runImport({ ctx, input }) })),
  undo: write
    .meta(rest('POST', `${one}/undo`, 'Undo an import', { errors: ['EDIT_CONFLICT'] }))
    .input(UndoImportInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ import: await undoImport({ ctx, input }) })),
});
