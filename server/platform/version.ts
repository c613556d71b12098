/** Put in place by the bundler (scripts/lib/build.mjs). */
declare const UPWATCH_VERSION: string | undefined;

/** The product's version with a mark of the sources it was built from (SemVer 2.0.0, section 10); "development" where nothing was built. */
export const version = typeof UPWATCH_VERSION === 'string' ? UPWATCH_VERSION : 'development';
