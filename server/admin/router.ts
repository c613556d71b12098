import { z } from 'zod';
import { adminProcedure, router } from '@/server/api/procedures';
import { Page } from '@/server/monitors/schema';
import { KeptMail, listKeptMail } from './kept-mail';

export const mailRouter = router({
  listKept: adminProcedure
    .input(Page)
    .output(z.object({ mails: z.array(KeptMail), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listKeptMail(ctx.db, input)),
});
