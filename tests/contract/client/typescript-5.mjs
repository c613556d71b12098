// node --import <this> …: gives openapi-typescript the TypeScript 5 compiler API, which TypeScript 7 no longer has.
import { register } from 'node:module';

const hook = `export const resolve = (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
