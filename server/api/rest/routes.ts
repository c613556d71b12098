import type { Operation } from './operations';

type Segment = { literal: string } | { param: string };

interface Route {
  segments: Segment[];
  operations: Map<string, Operation>;
}

/** The result of matching a path: an operation with its path parameters, or why there is none. */
export type Match =
  | { kind: 'operation'; operation: Operation; params: Record<string, string> }
  | { kind: 'method'; allow: string[] }
  | { kind: 'none' }
  | { kind: 'malformed' };

function toSegments(path: string): Segment[] {
  return path
    .split('/')
    .slice(1)
    .map((part) => (part.startsWith('{') && part.endsWith('}') ? { param: part.slice(1, -1) } : { literal: part }));
}

/** Sorts literal segments before parameters at each position, so that `/monitors/export` is not matched as an ID. */
function bySpecificity(a: Route, b: Route): number {
  for (const [index, segment] of a.segments.entries()) {
    const other = b.segments[index];
    if (!other) return 1;
    const difference = Number('param' in segment) - Number('param' in other);
    if (difference !== 0) return difference;
  }
  return a.segments.length - b.segments.length;
}

/** Returns the values of a route's parameters, in order; null if the path does not match. */
function matchSegments(segments: Segment[], parts: string[]): string[] | null {
  const values: string[] = [];
  for (let index = 0; index < segments.length; index += 1) {
    const segment = segments[index] as Segment;
    const part = parts[index] ?? '';
    if ('param' in segment && part !== '') values.push(part);
    else if (!('literal' in segment) || segment.literal !== part) return null;
  }
  return values;
}

/**
 * Builds the routing table: case-sensitive, percent-decoded (RFC 3986), literals before parameters. HEAD is answered wherever GET is (RFC 9110
 * §9.3.2).
 */
export function createRouteTable(operations: Operation[]): (method: string, pathname: string) => Match {
  const routes = new Map<string, Route>();
  for (const operation of operations) {
    const shape = operation.path.replace(/\{[^}]*\}/g, '{}');
    const route = routes.get(shape) ?? { segments: toSegments(operation.path), operations: new Map() };
    if (route.operations.has(operation.method))
      throw new Error(`${operation.method} ${operation.path} is taken twice.`);
    routes.set(shape, route);
    route.operations.set(operation.method, operation);
  }
  const ofLength = new Map<number, Route[]>();
  for (const route of [...routes.values()].sort(bySpecificity)) {
    const { length } = route.segments;
    ofLength.set(length, [...(ofLength.get(length) ?? []), route]);
  }
  // Each operation names its parameters: two methods may name the same segment differently.
  const paramNames = new Map(
    operations.map((operation) => [
      operation,
      toSegments(operation.path).flatMap((segment) => ('param' in segment ? [segment.param] : [])),
    ]),
  );

  return (method, pathname) => {
    let parts: string[];
    try {
      parts = pathname.split('/').slice(1).map(decodeURIComponent);
    } catch {
      return { kind: 'malformed' };
    }
    const allowed = new Set<string>();
    for (const route of ofLength.get(parts.length) ?? []) {
      const values = matchSegments(route.segments, parts);
      if (!values) continue;
      const operation = route.operations.get(method === 'HEAD' ? 'GET' : method);
      if (operation) {
        const names = paramNames.get(operation) ?? [];
        return {
          kind: 'operation',
          operation,
          params: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])),
        };
      }
      for (const known of route.operations.keys()) allowed.add(known);
    }
    if (allowed.size === 0) return { kind: 'none' };
    if (allowed.has('GET')) allowed.add('HEAD');
    return { kind: 'method', allow: [...allowed.add('OPTIONS')].sort() };
  };
}
