import type { Plan, Role, Scope, SessionKind } from '@/server/platform/generated/prisma/enums';

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

/** The caller of a request. `scopes` are the credential's, limited by the role. */
export type Actor =
  | { kind: 'anonymous' }
  | {
      kind: 'user';
      user: ActorUser;
      sessionId: string;
      sessionKind: SessionKind;
      sessionVersion: number;
      /** Null together with `role` if the user is not, or no longer, in the session's team. */
      team: ActorTeam | null;
      role: Role | null;
      scopes: Scope[];
    }
  | {
      kind: 'key';
      keyId: string;
      /** The start of its secret. */
      keyPrefix: string;
      /** The key's creator, whose current rights limit the key. */
      user: ActorUser;
      team: ActorTeam;
      role: Role;
      scopes: Scope[];
    };
