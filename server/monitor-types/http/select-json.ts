import {
  type FilterFunction,
  FunctionExpressionType,
  JSONPathEnvironment,
  type JSONPathQuery,
  type JSONValue,
} from 'json-p3';
import { compileJsonPath } from './compile-json-path';
import { fullMatch, search } from './pattern';

const KEPT_PATHS = 1_000;

/** Returns a filter function (RFC 9535 §2.4.6–7) whose pattern is matched in linear time. An invalid pattern matches nothing. */
function patternFunction(test: (pattern: string, text: string) => boolean): FilterFunction {
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call(text: unknown, pattern: unknown) {
      if (typeof text !== 'string' || typeof pattern !== 'string') return false;
      try {
        return test(pattern, text);
      } catch {
        return false;
      }
    },
  };
}

const environment = new JSONPathEnvironment();
environment.functionRegister.set('match', patternFunction(fullMatch));
environment.functionRegister.set('search', patternFunction(search));

const paths = new Map<string, JSONPathQuery>();

function compile(path: string): JSONPathQuery {
  const known = paths.get(path);
  if (known) return known;
  const query = compileJsonPath(environment, path);
  if (paths.size >= KEPT_PATHS) paths.clear();
  paths.set(path, query);
  return query;
}

/**
 * Returns the values that a JSON path selects (RFC 9535), in document order.
 * @throws Error if the path is invalid, or walks deeper than 50 levels
 */
export function selectJson(document: unknown, path: string): unknown[] {
  return compile(path)
    .query(document as JSONValue)
    .values();
}
