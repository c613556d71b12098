import { Alert } from '@/app/_components/ui/alert';

/** A form error that belongs to no field; null without an error. */
export function FormProblem({ children }: { children: string | null }) {
  return children ? (
    <Alert state="down" role="alert">
      {children}
    </Alert>
  ) : null;
}
