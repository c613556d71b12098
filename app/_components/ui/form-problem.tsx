import { Notice } from '@/app/_components/ui/notice';

/** Why a form was refused, where that is about none of its fields; nothing while there is no problem. */
export function FormProblem({ children }: { children: string | null }) {
  return children ? (
    <Notice state="down" role="alert">
      {children}
    </Notice>
  ) : null;
}
