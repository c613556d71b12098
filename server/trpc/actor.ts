import type { Plan, Role, SessionKind } from '@/server/platform/generated/prisma/enums';

export interface ActorUser {
  id: string;
  email: string;
  name: string | null;
  isAdmin: boolean;
}

export interface ActorTeam {
  id: string;
  name: string;
  plan: Plan;
}

/** The caller of a request. `scopes` are those of the credential, limited by the role; `allows` (schema.ts) reads them. */
export type Actor =
  | { kind: 'anonymous' }
  | {
      kind: 'user';
      user: ActorUser;
      sessionId: string;
      sessionKind: SessionKind;
      sessionVersion: number;
      /** Null, like `role`, if the user is not a member of the session's team, or no longer. */
      team: ActorTeam | null;
      role: Role | null;
      scopes: string[];
    }
  | {
      kind: 'key';
      keyId: string;
      /** The start of the key's secret. */
      keyPrefix: string;
      /** The key's creator, whose current role limits the key. */
      user: ActorUser;
      team: ActorTeam;
      role: Role;
      scopes: string[];
    };
