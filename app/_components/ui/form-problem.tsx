import { Notice } from '@/app/_components/ui/notice';

/** A form error that belongs to no field; null without an error. */
export function FormProblem({ children }: { children: string | null }) {
  return children ? (
    <Notice state="down" role="alert">
      {children}
    </Notice>
  ) : null;
}
