// node --import <this> …: gives openapi-typescript the compiler interface it is written for, which TypeScript 7 has no more.
import { register } from 'node:module';

const hook = `export const resolve = (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
