import type { RefreshInput } from '@/server/auth/schema';
import { sha256 } from '@/server/platform/crypto';
import type { Call, VerbContext } from '@/server/trpc/contexts';

/** Ends the session of a refresh token, including its access tokens. Does not reveal whether it existed. */
export async function logOut({ ctx, input }: Call<RefreshInput, VerbContext>): Promise<{ ok: true }> {
  await ctx.db.$transaction((tx) =>
    tx.session.updateMany({
      where: { refreshTokens: { some: { tokenHash: sha256(input.refreshToken) } }, revokedAt: null },
      data: { revokedAt: new Date() },
    }),
  );
  return { ok: true };
}
