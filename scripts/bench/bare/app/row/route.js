import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../../../../../server/platform/generated/prisma/client';

const db = new PrismaClient({
  adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL, options: '-c TimeZone=UTC', max: 10 }),
});

/** One row, as it is. */
export async function GET(request) {
  const id = new URL(request.url).searchParams.get('id') ?? '';
  return Response.json(await db.monitor.findUnique({ where: { id } }));
}
